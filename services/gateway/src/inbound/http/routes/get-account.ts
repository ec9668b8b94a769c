import type { DescribeAccount } from '../../../operations/describe-account.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

export function getAccount(describeAccount: DescribeAccount): Route {
  return async (exchange) => jsonReply(200, await describeAccount(exchange as AuthenticatedExchange));
}
