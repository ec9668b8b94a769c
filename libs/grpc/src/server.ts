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
import { type Logger, latencyBuckets, metricsOf, type Origin, type Registry } from '@shopscope/telemetry';
import { HealthImplementation } from 'grpc-health-check';
import { type Access, createAccessControl, refusal } from './access.ts';
import { callDeadline } from './call-deadline.ts';
import { callFieldsOf, errorCodeKey, errorDetailsKey, errorMessageKey, originOf } from './context.ts';
import { undecodable, withSafeDecoder } from './decode.ts';
import type { RequestOf, SentOf, UnaryDefinition } from './definition.ts';
import type { GrpcSecurity } from './security.ts';
import { statusByCode } from './status.ts';

/** The context of a gRPC call that a handler passes to the operations. */
export interface CallContext {
  origin: Origin;
  /**
   * The deadline of the caller, at most 10 s. It is cancelled when the caller cancels the call, so that no further statement
   * starts: the caller may already be undoing this call.
   */
  deadline: Deadline;
}

/** The second argument of a handler. Operations take the {@link CallContext}. */
export interface HandlerContext extends CallContext {
  /** Aborts when the caller cancels the call or its deadline expires. */
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
  /** Without it, the server uses no TLS. */
  security?: GrpcSecurity;
  /** Default {@link defaultConnectionAgeMs}. */
  connectionAgeMs?: number;
  /** The clock of the deadlines. Default: the system clock. */
  clock?: Pick<Clock, 'monotonicMs' | 'after'>;
}

/**
 * The gRPC server of a service. Handlers are plain async functions.
 *
 * - A handler throws -> the server translates the error and logs it once, with the request ids: faults at level error with
 *   their cause, refusals at level info. The caller gets only the code and the public text.
 * - The bytes of a request cannot be decoded, or the environment of its caller is unknown -> `invalid_request`, and no handler runs.
 * - The deadline of a call is the deadline of its caller, or a default.
 * - With mutual TLS, a handler runs only for the peers in the access list of its method.
 * - The standard health service reports the whole server, to every peer that can connect.
 */
export interface GrpcServer {
  /** Under TLS, a method without an entry in `access` refuses every peer. */
  addService<D extends UnaryDefinition>(definition: D, handlers: Handlers<D>, access?: Access<D>): void;
  /** Binds and serves. Resolves to host:port. */
  listen(): Promise<string>;
  setServing(serving: boolean): void;
  /** Accepts no new calls, waits up to `graceMs` for running calls, then closes their connections. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * The server closes a connection at this age. A client resolves the name of a service only when a connection ends. Without
 * this limit, the new instances of a scale-out would get no calls.
 */
export const defaultConnectionAgeMs = 300_000;
/** Longer than the deadline of any call, so that calls in progress finish. */
const connectionAgeGraceMs = 15_000;
/**
 * The maximum number of concurrent calls of one connection. A client keeps further calls and sends them as others end. A peer has far
 * fewer, because it gathers calls into batches.
 */
export const maxCallsPerConnection = 1_000;
const maxMessageBytes = 16 * 1024 * 1024;

export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const { logger, clock = systemClock } = options;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? defaultConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': connectionAgeGraceMs,
    'grpc.max_concurrent_streams': maxCallsPerConnection,
  });
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  const duration = metricsOf(options.registry).histogram(
    'grpc_server_duration_seconds',
    'Duration of gRPC calls by method and code',
    latencyBuckets,
    ['method', 'code'],
  );

  const tls = options.security?.server;
  const accessControl = tls && createAccessControl(options);

  const unary = <Q, R>(
    path: string,
    handler: (request: Q, context: HandlerContext) => Promise<R>,
    allowed: readonly PeerName[],
  ): handleUnaryCall<Q | typeof undecodable, R> => {
    return (call, callback) => {
      const callFields = () => callFieldsOf(call.metadata);
      if (accessControl && !accessControl.allows(call, path, allowed, callFields)) {
        return callback({ code: status.PERMISSION_DENIED, details: refusal });
      }
      const end = duration.startTimer({ method: path });
      const deadline = callDeadline({ wallDeadline: call.getDeadline(), clock });
      const cancelled = new AbortController();
      // grpc-js also emits 'cancelled' after a response.
      let hasEnded = false;
      call.on('cancelled', () => {
        if (hasEnded) return;
        const reason = new AppError('internal', 'The caller cancelled the call.');
        deadline.cancel(reason);
        cancelled.abort(reason);
      });
      const answer = async () => {
        if (call.request === undecodable) throw new AppError('invalid_request', 'The message cannot be decoded.');
        const origin = originOf(call.metadata);
        return handler(call.request as Q, { origin, deadline, abort: cancelled.signal });
      };
      answer().then(
        (response) => {
          hasEnded = true;
          end({ code: 'ok' });
          if (logger.isLevelEnabled('debug')) logger.debug({ method: path, ...callFields() }, 'call answered');
          callback(null, response);
        },
        (thrown: unknown) => {
          hasEnded = true;
          const error = AppError.from(thrown);
          end({ code: error.code });
          const fields = { method: path, code: error.code, ...callFields() };
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
      const methods = Object.entries(definition).map(([name, method]) => [name, withSafeDecoder(method)]);
      server.addService(Object.fromEntries(methods), implementation);
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

/**
 * A message may repeat text that a caller sent. Trailers above the HTTP/2 size limit end the connection with all its calls. A thousand
 * characters are at most 13 KB of trailers.
 */
const maxMessageChars = 1_000;
/** Larger details are left out. */
const maxDetailsBytes = 1_000;

function toServerError(error: AppError): ServerErrorResponse {
  const details = error.publicMessage.slice(0, maxMessageChars).toWellFormed();
  const metadata = new Metadata();
  metadata.set(errorCodeKey, error.code);
  metadata.set(errorMessageKey, Buffer.from(details));
  const more = Buffer.from(JSON.stringify(error.details));
  if (more.length <= maxDetailsBytes) metadata.set(errorDetailsKey, more);
  const code = statusByCode[error.code] ?? status.INTERNAL;
  return Object.assign(new Error(details), { code, details, metadata });
}
