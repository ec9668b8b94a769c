import type { LookUpStore } from '../../../operations/look-up-store.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonType } from '../reply.ts';
import type { Route } from './index.ts';

const headersOf = (ETag: string) => ({ ETag, 'Cache-Control': 'private, max-age=60', Vary: 'Authorization' });

export function getStore(lookUpStore: LookUpStore): Route {
  return async (exchange, headers) => {
    const { caller, origin, deadline, billing, input, isHead } = exchange as AuthenticatedExchange;
    const ifNoneMatch = headers['if-none-match'];
    const found = await lookUpStore({
      input: input.params.domain ?? '',
      ifNoneMatch,
      isBilled: !isHead,
      caller,
      origin,
      deadline,
      billing,
    });
    if (!found.changed) return { status: 304, headers: headersOf(found.etag), body: undefined };
    return {
      status: 200,
      headers: { 'Content-Type': jsonType, ...headersOf(found.etag) },
      body: found.body,
      usageRemaining: found.remaining,
    };
  };
}
