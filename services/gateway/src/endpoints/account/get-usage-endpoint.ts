import type { AuthenticatedExchange } from '../../http/exchange.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import type { Route } from '../route.ts';
import type { GetUsage } from './get-usage.ts';

export function getUsage(get: GetUsage): Route {
  return async (exchange) => jsonReply(200, await get(exchange as AuthenticatedExchange));
}
