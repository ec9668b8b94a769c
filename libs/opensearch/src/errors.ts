import { errors } from '@opensearch-project/opensearch';
import { AppError } from '@shopscope/errors';

/**
 * - `unavailable`: no node responds in time, there is no cluster manager, a shard is missing, or an index is blocked: read-only, or the disk
 *   of a node is full.
 * - `too_many_requests`: a queue or the memory of a node is full.
 * - `version_conflict`: the document has this version or a newer one.
 * - `strict_mapping`: the document has a field that the index does not have.
 * - `not_found`: the index, the document or the point in time does not exist.
 */
export type FailureKind =
  | 'unavailable'
  | 'too_many_requests'
  | 'version_conflict'
  | 'strict_mapping'
  | 'not_found'
  | 'other';

const gone = [502, 503, 504];

/** The kind of a failed response, or of a failed item of a bulk response. */
export function kindOf(status: number, type: string | undefined): FailureKind {
  if (type === 'cluster_block_exception' || gone.includes(status)) return 'unavailable';
  if (status === 429) return 'too_many_requests';
  if (type === 'version_conflict_engine_exception') return 'version_conflict';
  if (type === 'strict_dynamic_mapping_exception') return 'strict_mapping';
  return status === 404 ? 'not_found' : 'other';
}

/** The kind of an error of the client. An error of anything else is `other`. */
export function failureOf(error: unknown): FailureKind {
  if (error instanceof errors.ResponseError) return kindOf(error.statusCode, typeOf(error));
  const isUnreachable =
    error instanceof errors.ConnectionError ||
    error instanceof errors.NoLivingConnectionsError ||
    error instanceof errors.RequestAbortedError;
  return isUnreachable ? 'unavailable' : 'other';
}

/**
 * Translates an error of the client to an AppError.
 * - `unavailable`, `too_many_requests` -> `unavailable`, retryable.
 * - Any other error -> `internal`.
 *
 * The cause has the message of the error only. The client adds the whole request, which contains queries of callers.
 */
export function fromOpenSearch(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const kind = failureOf(error);
  const cause = error instanceof errors.OpenSearchClientError ? withoutRequest(error) : error;
  return kind === 'unavailable' || kind === 'too_many_requests' ? unavailable(kind, cause) : AppError.from(cause);
}

/**
 * Throws `unavailable` for the response to a search or a count that does not cover every shard. OpenSearch sends such a response with
 * status 200.
 */
export function requireWhole(response: { timed_out?: boolean; _shards: { total: number; successful: number } }): void {
  const { total, successful } = response._shards;
  if (response.timed_out) throw unavailable('unavailable', new Error('the search exceeded its time limit'));
  if (successful < total) {
    throw unavailable('unavailable', new Error(`${successful} of ${total} shards responded`));
  }
}

function unavailable(kind: FailureKind, cause: unknown): AppError {
  return new AppError('unavailable', 'The service is not available; retry shortly.', {
    cause,
    internal: `OpenSearch: ${kind}`,
  });
}

const typeOf = ({ body }: errors.ResponseError): string | undefined => body?.error?.type;

/** The first reason of a response says more than its type. */
function withoutRequest(error: errors.OpenSearchClientError): Error {
  const copy = new Error(error.message);
  copy.name = error.name;
  copy.stack = error.stack ?? error.message;
  return copy;
}
