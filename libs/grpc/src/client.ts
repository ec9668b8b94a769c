import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import type { Deadline } from '@shopscope/async';
import { AppError, type ErrorDetails, isErrorCode } from '@shopscope/errors';
import { latencyBuckets, metricsOf, type Origin, type Registry } from '@shopscope/telemetry';
import { defaultDeadlineMs } from './call-deadline.ts';
import { errorCodeKey, errorDetailsKey, errorMessageKey, metadataOf } from './context.ts';
import type { RequestOf, ResponseOf, UnaryDefinition } from './definition.ts';
import type { ChannelSecurity } from './security.ts';

/**
 * A client of a generated service definition. Every call has a deadline.
 *
 * - There are several addresses -> round-robin. The channel retries a call that was not sent yet on another connection.
 * - The peer responds with an error -> AppError with the code and the details of the peer.
 * - The peer is unreachable -> AppError `unavailable`.
 * - The deadline expires or the call is aborted -> AppError `internal`; the outcome is unknown.
 *
 * The metric does not count calls of the test environment, because an alert reads it.
 */
export interface CallOptions {
  origin?: Origin | undefined;
  /** Replaces `origin` in a call on behalf of several requests of one environment: the log line of the call names them. */
  origins?: readonly Origin[] | undefined;
  /** How long the caller waits: at most 10 s, which is also the default. An expired deadline rejects the call before it starts. */
  deadline?: Deadline | undefined;
  /** Cancels the call. The handler of the peer is cancelled, too. */
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
  /** The result of {@link GrpcSecurity.towards}. Undefined without TLS. */
  security?: ChannelSecurity | undefined;
}

const maxMessageBytes = 16 * 1024 * 1024;
/** The largest responses fit into this window. With the default of 64 KiB, their sender would have to wait several times. */
const windowBytes = 1024 * 1024;
const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

export function createGrpcClient<D extends UnaryDefinition>(options: GrpcClientOptions<D>): GrpcClient<D> {
  const channel = new Client(options.address, options.security?.credentials ?? credentials.createInsecure(), {
    ...(options.security && { 'grpc.ssl_target_name_override': options.security.serverName }),
    'grpc.service_config': serviceConfig,
    'grpc.initial_reconnect_backoff_ms': 100,
    // This time is shorter than the drain delay, in which a stopping instance still serves.
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3_000,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc-node.flow_control_window': windowBytes,
  });
  const duration =
    options.registry &&
    metricsOf(options.registry).histogram(
      'grpc_client_duration_seconds',
      'Duration of outgoing gRPC calls by method and code',
      latencyBuckets,
      ['method', 'code'],
    );

  const methods = Object.entries(options.definition).map(([name, method]) => {
    const call = (request: unknown, call: CallOptions = {}) =>
      new Promise((resolve, reject) => {
        const timeoutMs = call.deadline?.timeoutMs(defaultDeadlineMs) ?? defaultDeadlineMs;
        const origins = call.origins ?? (call.origin ? [call.origin] : []);
        const end = origins[0]?.environment === 'test' ? undefined : duration?.startTimer({ method: method.path });
        if (call.abort?.aborted) return reject(AppError.from(call.abort.reason));
        const cancel = () => running.cancel();
        const running = channel.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          metadataOf(origins),
          { deadline: Date.now() + timeoutMs },
          (error, response) => {
            call.abort?.removeEventListener('abort', cancel);
            end?.({ code: error ? (status[error.code] ?? 'UNKNOWN') : 'OK' });
            if (error) reject(toAppError(method.path, error));
            else resolve(response);
          },
        );
        call.abort?.addEventListener('abort', cancel, { once: true });
      });
    return [name, call] as const;
  });
  return { ...Object.fromEntries(methods), close: () => channel.close() } as GrpcClient<D>;
}

function toAppError(path: string, error: ServiceError): AppError {
  const code = error.metadata?.get(errorCodeKey)[0];
  const message = error.metadata?.get(errorMessageKey)[0];
  if (isErrorCode(code)) {
    const details = detailsOf(error.metadata?.get(errorDetailsKey)[0]);
    return new AppError(code, String(message ?? 'The call failed.'), { cause: error, details });
  }
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

/** Peers are services of this system. Bytes that are not JSON come from another program in front of them. */
function detailsOf(bytes: unknown): ErrorDetails {
  if (!Buffer.isBuffer(bytes)) return {};
  try {
    return JSON.parse(bytes.toString()) as ErrorDetails;
  } catch {
    return {};
  }
}
