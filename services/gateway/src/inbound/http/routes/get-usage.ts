import type { ReportUsage } from '../../../operations/report-usage.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

export function getUsage(reportUsage: ReportUsage): Route {
  return async (exchange) => jsonReply(200, await reportUsage(exchange as AuthenticatedExchange));
}
