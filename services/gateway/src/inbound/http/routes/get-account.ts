import type { GetAccount } from '../../../operations/get-account.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

export function getAccount(get: GetAccount): Route {
  return async (exchange) => jsonReply(200, await get(exchange as AuthenticatedExchange));
}
