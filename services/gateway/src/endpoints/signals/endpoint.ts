import type { z } from 'zod';
import { pageLimits } from '../../contract/schemas.ts';
import type { AuthenticatedExchange, Exchange } from '../../http/exchange.ts';
import { jsonReply, type Reply } from '../../http/reply/reply.ts';
import type { Begin, Route } from '../route.ts';
import type { historyQuery, signalQuery } from './contract.ts';
import type { BegunHistory, GetStoreHistory, SearchSignals, SignalAnswer } from './query-signals.ts';

export function beginGetStoreHistory({ begin }: Pick<GetStoreHistory, 'begin'>): Begin {
  return (exchange) => {
    const { limit = pageLimits.default, ...filters } = exchange.input.query as z.output<typeof historyQuery>;
    const input = exchange.input.params.domain ?? '';
    return begin({ ...filters, limit, input }, contextOf(exchange));
  };
}

export function getStoreHistory({ finish }: Pick<GetStoreHistory, 'finish'>): Route {
  return async (exchange) => replyOf(await finish(exchange.begun as BegunHistory, contextOf(exchange)));
}

export function searchSignals(search: SearchSignals): Route {
  return async (exchange) => {
    const { limit = pageLimits.default, ...filters } = exchange.input.query as z.output<typeof signalQuery>;
    return replyOf(await search({ ...filters, limit }, contextOf(exchange)));
  };
}

function contextOf(exchange: Exchange) {
  const { caller, origin, deadline, billing, isHead } = exchange as AuthenticatedExchange;
  return { caller, origin, deadline, billing, isBilled: !isHead };
}

function replyOf({ body, remaining }: SignalAnswer): Reply {
  return { ...jsonReply(200, body), usageRemaining: remaining };
}
