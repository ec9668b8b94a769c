import { Metadata } from '@grpc/grpc-js';
import type { Origin } from '@shopscope/telemetry';

export const requestIdKey = 'x-request-id';
export const requestIdsKey = 'x-request-ids';
export const traceparentKey = 'traceparent';
export const errorCodeKey = 'x-error-code';
export const errorMessageKey = 'x-error-message-bin';

/** The maximum number of ids in metadata, because a batch may have a thousand requests. */
const maxRequestIds = 20;

/** Returns the metadata of an outgoing call. `origins` are its requests. The first one is the origin of the call. */
export function metadataOf(origins: readonly Origin[]): Metadata {
  const metadata = new Metadata();
  const [first] = origins;
  if (!first) return metadata;
  metadata.set(requestIdKey, first.requestId);
  metadata.set(traceparentKey, first.traceparent);
  if (origins.length > 1) {
    const ids = new Set(origins.slice(0, maxRequestIds).map(({ requestId }) => requestId));
    if (ids.size > 1) metadata.set(requestIdsKey, [...ids].join(','));
  }
  return metadata;
}

/** Returns the origin of an incoming call. Its members are empty if the caller sent none. */
export function originOf(metadata: Metadata): Origin {
  return {
    requestId: String(metadata.get(requestIdKey)[0] ?? ''),
    traceparent: String(metadata.get(traceparentKey)[0] ?? ''),
  };
}

/** Fields of a log line: the request of the call, if there is one. For a batch, all its requests, at most {@link maxRequestIds}. */
export interface RequestIds {
  requestId?: string;
  requestIds?: string[];
}

export function requestIdsOf(metadata: Metadata): RequestIds {
  const { requestId } = originOf(metadata);
  if (requestId === '') return {};
  const listed = String(metadata.get(requestIdsKey)[0] ?? '');
  if (listed === '') return { requestId };
  return { requestId, requestIds: listed.split(',').slice(0, maxRequestIds) };
}
