import type { AuthenticatedExchange } from '../../http/exchange.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import type { Route } from '../route.ts';
import type { GetAccount } from './get-account.ts';

export function getAccount(get: GetAccount): Route {
  return async (exchange) => jsonReply(200, await get(exchange as AuthenticatedExchange));
}
