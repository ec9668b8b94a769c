import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import type { Deadline } from '@shopscope/async';
import { AppError, isErrorCode } from '@shopscope/errors';
import { Histogram, latencyBuckets, type Origin, type Registry } from '@shopscope/telemetry';
import { defaultDeadlineMs } from './call-deadline.ts';
import { errorCodeKey, errorMessageKey, metadataOf } from './context.ts';
import type { RequestOf, ResponseOf, UnaryDefinition } from './definition.ts';
import type { ChannelSecurity } from './security.ts';

/**
 * A client for a generated service definition: one promise per call, always with a deadline. Several addresses are
 * balanced round-robin, and a call that never left this process is retried on another connection by the channel itself.
 * What fails is an AppError: the peer's own code when it answered, `unavailable` when it could not be reached, and
 * `internal` when time ran out (then the outcome is unknown).
 */
export interface CallOptions {
  origin?: Origin | undefined;
  /** In the place of `origin` for a call that is made for several requests, as far as its log line is to name them. */
  origins?: readonly Origin[] | undefined;
  /** How long the caller waits; at most and by default 10 s. An expired deadline rejects the call before it starts. */
  deadline?: Deadline | undefined;
  /** For a call without a deadline: how long the caller waits, at most and by default 10 s. */
  timeoutMs?: number | undefined;
  /** Gives the call up; the peer's handler is told. */
  abort?: AbortSignal | undefined;
}

export type GrpcClient<D extends UnaryDefinition> = {
  [M in keyof D]: (request: RequestOf<D[M]>, options?: CallOptions) => Promise<ResponseOf<D[M]>>;
} & { close(): void };

export interface GrpcClientOptions<D extends UnaryDefinition> {
  definition: D;
  /** host:port, dns:///name:port or ipv4:host:port,host:port */
  address: string;
  registry?: Registry | undefined;
  /** From GrpcSecurity, which says for itself when connections are in the clear. */
  security?: ChannelSecurity | undefined;
}

const maxMessageBytes = 16 * 1024 * 1024;
/** Holds the largest answers whole; the default of 64 KiB would stop their sender several times. */
const windowBytes = 1024 * 1024;
const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

export function createGrpcClient<D extends UnaryDefinition>(options: GrpcClientOptions<D>): GrpcClient<D> {
  const channel = new Client(options.address, options.security?.credentials ?? credentials.createInsecure(), {
    ...(options.security && { 'grpc.ssl_target_name_override': options.security.serverName }),
    'grpc.service_config': serviceConfig,
    'grpc.initial_reconnect_backoff_ms': 100,
    // Well within the time that an instance goes on serving after it has said that it stops.
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3_000,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc-node.flow_control_window': windowBytes,
  });
  const duration = options.registry && clientHistogram(options.registry);

  const methods = Object.entries(options.definition).map(([name, method]) => {
    const call = (request: unknown, call: CallOptions = {}) =>
      new Promise((resolve, reject) => {
        const timeoutMs = call.deadline?.timeoutMs(defaultDeadlineMs) ?? defaultDeadlineMs;
        const end = duration?.startTimer({ method: method.path });
        if (call.abort?.aborted) return reject(AppError.from(call.abort.reason));
        const giveUp = () => running.cancel();
        const running = channel.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          metadataOf(call.origins ?? (call.origin ? [call.origin] : [])),
          { deadline: Date.now() + timeoutMs },
          (error, response) => {
            call.abort?.removeEventListener('abort', giveUp);
            end?.({ code: error ? (status[error.code] ?? 'UNKNOWN') : 'OK' });
            if (error) reject(toAppError(method.path, error));
            else resolve(response);
          },
        );
        call.abort?.addEventListener('abort', giveUp, { once: true });
      });
    return [name, call] as const;
  });
  return { ...Object.fromEntries(methods), close: () => channel.close() } as GrpcClient<D>;
}

function clientHistogram(registry: Registry): Histogram<'method' | 'code'> {
  const name = 'grpc_client_duration_seconds';
  const existing = registry.getSingleMetric(name) as Histogram<'method' | 'code'> | undefined;
  return (
    existing ??
    new Histogram({
      name,
      help: 'Duration of outgoing gRPC calls by method and code',
      labelNames: ['method', 'code'],
      buckets: latencyBuckets,
      registers: [registry],
    })
  );
}

function toAppError(path: string, error: ServiceError): AppError {
  const code = error.metadata?.get(errorCodeKey)[0];
  const message = error.metadata?.get(errorMessageKey)[0];
  if (isErrorCode(code)) return new AppError(code, String(message ?? 'The call failed.'), { cause: error });
  if (error.code === status.UNAVAILABLE) {
    return new AppError('unavailable', 'The service is not available; retry shortly.', {
      cause: error,
      internal: path,
    });
  }
  return new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    cause: error,
    internal: path,
  });
}
