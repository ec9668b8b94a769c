import type { CompletedRequest } from '@shopscope/proto';
import type { EndedRequest } from '../http/request.ts';
import { loggedPath, loggedQuery } from './logged-path.ts';

/** Returns an ended request with a key as the request log stores it. The result keeps no reference to the request. */
export function completedRequestOf(
  request: EndedRequest,
  { status, durationMs }: { status: number; durationMs: number },
): CompletedRequest {
  const { id, requestId, origin, caller, operation, billing, method, message } = request;
  return {
    id: id === requestId ? '' : id,
    requestId,
    keyId: caller?.keyId ?? '',
    keyPrefix: caller?.keyPrefix ?? '',
    startedAtMs: request.startedAtMs,
    operation: operation?.id ?? '',
    method,
    pathTemplate: operation?.path ?? '',
    path: detached(loggedPath(request)),
    query: detached(loggedQuery(request)),
    status,
    errorCode: (status >= 400 && status !== disconnected && request.failureCode) || '',
    durationUs: Math.round(durationMs * 1_000),
    units: billing.units,
    domains: domainsOf(request),
    // Other operations ignore the header.
    hasIdempotencyKey: operation?.idempotent === true && message.headers['idempotency-key'] !== undefined,
    replayed: billing.earlier === 'replayed',
    billedBefore: billing.earlier === 'settled_before',
    environment: origin.environment ?? '',
  };
}

/** The status of a request whose caller disconnected before the response. */
export const disconnected = 499;

/** Returns a copy. A part of a string keeps the whole string in memory, which is here a URL of up to 16 KB. */
const detached = (text: string) => Buffer.from(text).toString();

function domainsOf({ operation, body }: EndedRequest): number {
  if (operation?.params && 'domain' in operation.params.shape) return 1;
  const domains = typeof body === 'object' && body !== null && 'domains' in body ? body.domains : undefined;
  return Array.isArray(domains) ? domains.length : 0;
}
