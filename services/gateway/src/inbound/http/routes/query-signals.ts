import type { z } from 'zod';
import { pageLimits } from '../../../contract/schemas.ts';
import type { historyQuery, signalQuery } from '../../../contract/signals.ts';
import type { GetStoreHistory, SearchSignals, SignalAnswer } from '../../../operations/query-signals.ts';
import type { AuthenticatedExchange, Exchange } from '../exchange.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { Route } from './index.ts';

export function getStoreHistory(get: GetStoreHistory): Route {
  return async (exchange) => {
    const { limit = pageLimits.default, ...filters } = exchange.input.query as z.output<typeof historyQuery>;
    const input = exchange.input.params.domain ?? '';
    return replyOf(await get({ ...filters, limit, input }, contextOf(exchange)));
  };
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
