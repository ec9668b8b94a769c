import { type PeerName, peerOf } from '@shopscope/config';
import { Counter, type Logger, type Registry } from '@shopscope/telemetry';
import type { RequestIds } from './context.ts';
import type { UnaryDefinition } from './definition.ts';

/**
 * Who may call each method of a service; everybody else is refused. Every method has its entry, so that a new one is
 * decided about before it compiles. Asked only where certificates say who calls.
 */
export type Access<D extends UnaryDefinition> = Readonly<Record<keyof D, readonly PeerName[]>>;

/** What a refused caller is told. */
export const refusal = 'The caller may not call this method.';

/** An incoming call, as far as it says who calls. */
export interface IncomingCall {
  getAuthContext(): { sslPeerCertificate?: { subjectaltname?: string | undefined } | undefined };
}

export interface Guard {
  /** Whether this caller is one of `allowed`. A refusal is counted and logged, here and nowhere else. */
  admits(call: IncomingCall, path: string, allowed: readonly PeerName[], requestIds: () => RequestIds): boolean;
}

export function createGuard({ logger, registry }: { logger: Logger; registry: Registry }): Guard {
  const refused = new Counter({
    name: 'grpc_server_refused_total',
    help: 'Calls by peers that the method is not for, by method and peer',
    labelNames: ['method', 'peer'],
    registers: [registry],
  });
  return {
    admits(call, path, allowed, requestIds) {
      const peer = peerOf(call.getAuthContext().sslPeerCertificate?.subjectaltname);
      if (peer && allowed.includes(peer)) return true;
      refused.inc({ method: path, peer: peer ?? 'unknown' });
      logger.warn({ peer: peer ?? 'unknown', method: path, ...requestIds() }, 'call refused');
      return false;
    },
  };
}
