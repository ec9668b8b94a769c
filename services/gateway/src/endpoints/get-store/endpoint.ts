import type { AuthenticatedExchange } from '../../http/exchange.ts';
import { jsonType } from '../../http/reply/reply.ts';
import type { Begin, Route } from '../route.ts';
import type { BegunLookUp, LookUpStore } from './look-up-store.ts';

const headersOf = (ETag: string) => ({ ETag, 'Cache-Control': 'private, max-age=60', Vary: 'Authorization' });

export function beginGetStore({ begin }: Pick<LookUpStore, 'begin'>): Begin {
  return ({ input, origin, deadline }) => begin({ input: input.params.domain ?? '', origin, deadline });
}

export function getStore(lookUpStore: Pick<LookUpStore, 'finish'>): Route {
  return async (exchange, headers) => {
    const { caller, origin, deadline, billing, begun, isHead } = exchange as AuthenticatedExchange;
    const found = await lookUpStore.finish({
      begun: begun as BegunLookUp,
      ifNoneMatch: headers['if-none-match'],
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
