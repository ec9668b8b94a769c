import { type PeerName, peerOf } from '@shopscope/config';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { CallFields } from './context.ts';
import type { UnaryDefinition } from './definition.ts';

/**
 * Allowed peers per method of a service. All other peers are refused. The type requires an entry for each method, so a new
 * method does not compile without one. The lists are checked only under mutual TLS, which identifies the peer.
 */
export type Access<D extends UnaryDefinition> = Readonly<Record<keyof D, readonly PeerName[]>>;

export const refusal = 'The caller may not call this method.';

/** The part of an incoming call that identifies its peer. */
export interface IncomingCall {
  getAuthContext(): { sslPeerCertificate?: { subjectaltname?: string | undefined } | undefined };
}

export interface AccessControl {
  /** Whether the peer of the call is in `allowed`. This function counts and logs a refusal, once. */
  allows(call: IncomingCall, path: string, allowed: readonly PeerName[], callFields: () => CallFields): boolean;
}

export function createAccessControl({ logger, registry }: { logger: Logger; registry: Registry }): AccessControl {
  const help = 'Refused calls of peers without access to the method, by method and peer';
  const refused = metricsOf(registry).counter('grpc_server_refused_total', help, ['method', 'peer']);
  return {
    allows(call, path, allowed, callFields) {
      const peer = peerOf(call.getAuthContext().sslPeerCertificate?.subjectaltname);
      if (peer && allowed.includes(peer)) return true;
      refused.inc({ method: path, peer: peer ?? 'unknown' });
      logger.warn({ peer: peer ?? 'unknown', method: path, ...callFields() }, 'call refused');
      return false;
    },
  };
}
