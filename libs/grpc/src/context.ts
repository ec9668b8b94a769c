import { Metadata } from '@grpc/grpc-js';
import type { Origin } from '@shopscope/telemetry';

export const requestIdKey = 'x-request-id';
export const traceparentKey = 'traceparent';
export const errorCodeKey = 'x-error-code';
export const errorMessageKey = 'x-error-message-bin';

/** Metadata of an outgoing call. */
export function metadataOf(origin: Origin | undefined): Metadata {
  const metadata = new Metadata();
  if (origin) {
    metadata.set(requestIdKey, origin.requestId);
    metadata.set(traceparentKey, origin.traceparent);
  }
  return metadata;
}

/** Origin of an incoming call; empty members when the caller named none. */
export function originOf(metadata: Metadata): Origin {
  return {
    requestId: String(metadata.get(requestIdKey)[0] ?? ''),
    traceparent: String(metadata.get(traceparentKey)[0] ?? ''),
  };
}
