import type { CompletedRequest } from '@shopscope/proto';
import type { Response } from 'express';
import type { Exchange } from '../http/exchange.ts';
import { loggedPath, loggedQuery } from './logged-path.ts';

/** A request with a key as the request log stores it, when its response has ended. It keeps no reference to the exchange. */
export function completedRequestOf(
  exchange: Exchange,
  method: string,
  { req }: Pick<Response, 'req'>,
  { status, durationMs }: { status: number; durationMs: number },
): CompletedRequest {
  const { id, requestId, caller, operation, billing } = exchange;
  return {
    id: id === requestId ? '' : id,
    requestId,
    keyId: caller?.keyId ?? '',
    keyPrefix: caller?.keyPrefix ?? '',
    startedAtMs: exchange.startedAtMs,
    operation: operation?.id ?? '',
    method,
    pathTemplate: operation?.path ?? '',
    path: detached(loggedPath(exchange)),
    query: detached(loggedQuery(exchange)),
    status,
    errorCode: (status >= 400 && status !== disconnected && exchange.failureCode) || '',
    durationUs: Math.round(durationMs * 1_000),
    units: billing.units,
    domains: domainsOf(exchange),
    // Other operations ignore the header.
    hasIdempotencyKey: operation?.idempotent === true && req.headers['idempotency-key'] !== undefined,
    replayed: billing.earlier === 'replayed',
    billedBefore: billing.earlier === 'settled_before',
  };
}

/** The status of a request whose caller disconnected before the response. */
export const disconnected = 499;

/** A copy. A part of a string keeps the whole of it in memory, here a URL of up to 16 KB. */
const detached = (text: string) => Buffer.from(text).toString();

function domainsOf({ operation, input }: Exchange): number {
  if (operation?.params && 'domain' in operation.params.shape) return 1;
  const { body } = input;
  const domains = typeof body === 'object' && body !== null && 'domains' in body ? body.domains : undefined;
  return Array.isArray(domains) ? domains.length : 0;
}
