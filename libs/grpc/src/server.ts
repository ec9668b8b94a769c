import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
  status,
} from '@grpc/grpc-js';
import type { Deadline } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import type { PeerName } from '@shopscope/config';
import { AppError, isServerFault } from '@shopscope/errors';
import { Histogram, type Logger, latencyBuckets, type Origin, type Registry } from '@shopscope/telemetry';
import { HealthImplementation } from 'grpc-health-check';
import { type Access, createGuard, refusal } from './access.ts';
import { callDeadline } from './call-deadline.ts';
import { errorCodeKey, errorMessageKey, originOf, requestIdsOf } from './context.ts';
import type { RequestOf, SentOf, UnaryDefinition } from './definition.ts';
import type { GrpcSecurity } from './security.ts';
import { statusByCode } from './status.ts';

/**
 * A service's gRPC server. Handlers are plain async functions; whatever they throw is translated and logged here, once,
 * with the ids of the requests that the call was made for: faults at error with their cause, refusals at info.
 * Public text and code travel to the caller, causes stay in the log. Each call has the caller's deadline, or
 * a default when there is none. Under TLS a handler runs only for the peers that its method is for. The
 * standard health service answers for the whole server, to everybody who may connect.
 */
export interface CallContext {
  origin: Origin;
  /**
   * Until when the caller waits, at most 10 s. Cancelled when the caller gives up, so that no further statement starts:
   * the caller may be undoing this call already.
   */
  deadline: Deadline;
}

/** What a handler gets beside the request; operations take the {@link CallContext} of it. */
export interface HandlerContext extends CallContext {
  /** Aborted when the caller gives up. */
  abort: AbortSignal;
}

export type Handlers<D extends UnaryDefinition> = {
  [M in keyof D]: (request: RequestOf<D[M]>, context: HandlerContext) => Promise<SentOf<D[M]>>;
};

export interface GrpcServerOptions {
  host: string;
  port: number;
  logger: Logger;
  registry: Registry;
  /** Without it the server speaks in the clear. */
  security?: GrpcSecurity;
  /** Default {@link defaultConnectionAgeMs}. */
  connectionAgeMs?: number;
  /** Of the calls' deadlines; the system's by default. */
  clock?: Pick<Clock, 'monotonicMs' | 'after'>;
}

export interface GrpcServer {
  /** Under TLS a method that `access` does not name is for nobody. */
  addService<D extends UnaryDefinition>(definition: D, handlers: Handlers<D>, access?: Access<D>): void;
  /** Binds and serves; resolves to host:port. */
  listen(): Promise<string>;
  setServing(serving: boolean): void;
  /** Takes no new calls, lets running ones end within `graceMs`, then cuts. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * A connection is ended at this age: a client looks its name up again only when a connection ends, so without it the
 * instances that a scale-out adds would get no calls.
 */
export const defaultConnectionAgeMs = 300_000;
/** More than any call's deadline: calls in flight finish. */
const connectionAgeGraceMs = 15_000;
const maxMessageBytes = 16 * 1024 * 1024;

export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { logger, clock = systemClock } = options;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? defaultConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': connectionAgeGraceMs,
  });
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  const duration = new Histogram({
    name: 'grpc_server_duration_seconds',
    help: 'Duration of gRPC calls by method and code',
    labelNames: ['method', 'code'],
    buckets: latencyBuckets,
    registers: [options.registry],
  });

  const tls = options.security?.server;
  const guard = tls && createGuard(options);

  const unary = <Q, R>(
    path: string,
    handler: (request: Q, context: HandlerContext) => Promise<R>,
    allowed: readonly PeerName[],
  ): handleUnaryCall<Q, R> => {
    return (call, callback) => {
      const origin = originOf(call.metadata);
      const requestIds = () => requestIdsOf(call.metadata);
      if (guard && !guard.admits(call, path, allowed, requestIds)) {
        return callback({ code: status.PERMISSION_DENIED, details: refusal });
      }
      const end = duration.startTimer({ method: path });
      const deadline = callDeadline({ wallDeadline: call.getDeadline(), clock });
      const abandoned = new AbortController();
      // Told at the end of every call, however it ends.
      let answered = false;
      call.on('cancelled', () => {
        if (answered) return;
        const reason = new AppError('internal', 'The caller gave up.');
        deadline.cancel(reason);
        abandoned.abort(reason);
      });
      handler(call.request, { origin, deadline, abort: abandoned.signal }).then(
        (response) => {
          answered = true;
          end({ code: 'ok' });
          if (logger.isLevelEnabled('debug')) logger.debug({ method: path, ...requestIds() }, 'call answered');
          callback(null, response);
        },
        (thrown: unknown) => {
          answered = true;
          const error = AppError.from(thrown);
          end({ code: error.code });
          const fields = { method: path, code: error.code, ...requestIds() };
          if (isServerFault(error)) logger.error({ ...fields, err: thrown }, 'call failed');
          else logger.info({ ...fields, reason: error.message }, 'call refused');
          callback(toServerError(error));
        },
      );
    };
  };

  return {
    addService(definition, handlers, access) {
      const implementation: Record<string, handleUnaryCall<unknown, unknown>> = {};
      for (const [name, method] of Object.entries(definition)) {
        const handler = handlers[name] as unknown as (request: unknown, context: HandlerContext) => Promise<unknown>;
        implementation[name] = unary(method.path, handler, access?.[name] ?? []);
      }
      server.addService(definition, implementation);
    },
    async listen() {
      const port = await new Promise<number>((resolve, reject) => {
        const credentials = tls ?? ServerCredentials.createInsecure();
        server.bindAsync(`${options.host}:${options.port}`, credentials, (error, bound) =>
          error ? reject(error) : resolve(bound),
        );
      });
      health.setStatus('', 'SERVING');
      return `${options.host === '0.0.0.0' ? '127.0.0.1' : options.host}:${port}`;
    },
    setServing: (serving) => health.setStatus('', serving ? 'SERVING' : 'NOT_SERVING'),
    stop(graceMs = 10_000) {
      health.setStatus('', 'NOT_SERVING');
      return new Promise((resolve) => {
        const timer = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

function toServerError(error: AppError): ServerErrorResponse {
  const metadata = new Metadata();
  metadata.set(errorCodeKey, error.code);
  metadata.set(errorMessageKey, Buffer.from(error.publicMessage));
  const code = statusByCode[error.code] ?? status.INTERNAL;
  return Object.assign(new Error(error.publicMessage), { code, details: error.publicMessage, metadata });
}
