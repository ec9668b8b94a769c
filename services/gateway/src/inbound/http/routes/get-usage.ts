import type { GetUsage } from '../../../operations/get-usage.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

export function getUsage(get: GetUsage): Route {
  return async (exchange) => jsonReply(200, await get(exchange as AuthenticatedExchange));
}
