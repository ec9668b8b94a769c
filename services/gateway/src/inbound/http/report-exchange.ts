import { AppError, isServerFault } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';
import type { Response } from 'express';
import type { GatewayMetrics } from '../../metrics.ts';
import type { Exchange } from './exchange.ts';

/**
 * One line and one observation per request, when its response has ended. Refusals are logged at info, faults at error
 * with their whole cause; successes at debug, or at info as often as the sample says.
 */
export type ReportExchange = (exchange: Exchange, method: string, response: Response) => void;

export function createReportExchange(options: {
  logger: Logger;
  metrics: Pick<GatewayMetrics, 'observeRequest'>;
  /** 0 to 1. */
  successSample: number;
}): ReportExchange {
  const { logger, metrics, successSample } = options;
  return (exchange, method, response) => {
    const durationMs = exchange.budget.elapsedMs();
    // 499: the caller left before an answer; 0: the answer was withheld.
    const status = response.headersSent ? response.statusCode : exchange.failureCode === 'withheld' ? 0 : 499;
    metrics.observeRequest(exchange.operation?.id ?? 'none', status, durationMs / 1_000);
    const level = levelOf(status, exchange, successSample);
    if (!logger.isLevelEnabled(level)) return;
    const { requestId, origin, caller, path, failure, failureCode } = exchange;
    logger[level](
      {
        requestId,
        trace: origin.traceparent.slice(3, 35),
        method,
        path: path.slice(0, 300),
        operation: exchange.operation?.id,
        status,
        code: failureCode,
        durationMs: Math.round(durationMs * 10) / 10,
        workspaceId: caller?.workspaceId,
        keyId: caller?.keyId,
        ...(level === 'error' ? { err: failure } : {}),
      },
      'request',
    );
  };
}

function levelOf(status: number, { failure, failureCode }: Exchange, sample: number): 'error' | 'info' | 'debug' {
  if (failureCode === 'withheld') return 'error';
  // Nobody was there to be told.
  if (status === 499) return 'info';
  if (failure !== undefined) return isServerFault(AppError.from(failure)) ? 'error' : 'info';
  if (status >= 400) return 'info';
  return sample > 0 && Math.random() < sample ? 'info' : 'debug';
}
