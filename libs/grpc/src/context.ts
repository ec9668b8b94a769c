import { Metadata } from '@grpc/grpc-js';
import { type Environment, environments, parseEnvironment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';

export const requestIdKey = 'x-request-id';
export const requestIdsKey = 'x-request-ids';
export const traceparentKey = 'traceparent';
export const environmentKey = 'x-environment';
export const errorCodeKey = 'x-error-code';
export const errorMessageKey = 'x-error-message-bin';
export const errorDetailsKey = 'x-error-details-bin';

/** The maximum number of ids in metadata, because a batch may have a thousand requests. */
const maxRequestIds = 20;
const maxQuotedChars = 40;

/**
 * Returns the metadata of an outgoing call. `origins` are its requests. The first one is the origin of the call. Throws if the requests
 * are of several environments: the receiver would handle all of them in the environment of the first one.
 */
export function metadataOf(origins: readonly Origin[]): Metadata {
  const metadata = new Metadata();
  const [first] = origins;
  if (!first) return metadata;
  metadata.set(requestIdKey, first.requestId);
  metadata.set(traceparentKey, first.traceparent);
  if (first.environment !== null) metadata.set(environmentKey, first.environment);
  if (origins.length > 1) {
    const ids = new Set<string>();
    for (const { requestId, environment } of origins) {
      if (environment !== first.environment) {
        throw new Error(`a call has requests of several environments: ${first.environment} and ${environment}`);
      }
      if (ids.size < maxRequestIds) ids.add(requestId);
    }
    if (ids.size > 1) metadata.set(requestIdsKey, [...ids].join(','));
  }
  return metadata;
}

const textOf = (metadata: Metadata, key: string) => String(metadata.get(key)[0] ?? '');

/**
 * Returns the origin of an incoming call. Its texts are empty, and its environment is null, if the caller sent none. Throws
 * `invalid_request` if the environment is unknown.
 */
export function originOf(metadata: Metadata): Origin {
  const text = textOf(metadata, environmentKey);
  const environment = parseEnvironment(text);
  if (environment === undefined) {
    const quoted = JSON.stringify(text.slice(0, maxQuotedChars));
    throw invalidField(environmentKey, `must be ${environments.join(' or ')}, not ${quoted}`);
  }
  return { requestId: textOf(metadata, requestIdKey), traceparent: textOf(metadata, traceparentKey), environment };
}

/** Fields of a log line: the request of the call, if there is one. For a batch, all its requests, at most {@link maxRequestIds}. */
export interface CallFields {
  requestId?: string;
  requestIds?: string[];
  environment?: Environment;
}

export function callFieldsOf(metadata: Metadata): CallFields {
  const fields: CallFields = {};
  const requestId = textOf(metadata, requestIdKey);
  if (requestId !== '') fields.requestId = requestId;
  const listed = textOf(metadata, requestIdsKey);
  if (requestId !== '' && listed !== '') fields.requestIds = listed.split(',').slice(0, maxRequestIds);
  const environment = parseEnvironment(textOf(metadata, environmentKey));
  if (environment) fields.environment = environment;
  return fields;
}
