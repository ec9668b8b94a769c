import { AppError, isServerFault } from '@shopscope/errors';
import { withoutKeySecrets } from '@shopscope/ids';
import { type Logger, traceIdOf } from '@shopscope/telemetry';
import type { Response } from 'express';
import { nonZeroCountersOf } from '../../domain/units.ts';
import type { GatewayMetrics } from '../../metrics.ts';
import type { Exchange } from './exchange.ts';

/**
 * One line and one observation per request, when its response has ended.
 * - A fault, or a withheld answer -> at error, with the whole cause.
 * - A refusal, a caller that left, a request that bills or repeats what an earlier one billed -> at info.
 * - Any other success is free -> at info as often as the sample says, else at debug.
 * A key that the caller put into the path, or that a message repeats, is cut to its prefix.
 */
export type ReportExchange = (exchange: Exchange, method: string, response: Response) => void;

const pathCharsMax = 300;

export function createReportExchange(options: {
  logger: Logger;
  metrics: Pick<GatewayMetrics, 'observeRequest'>;
  /** 0 to 1. */
  successSample: number;
}): ReportExchange {
  const { logger, metrics, successSample } = options;
  return (exchange, method, response) => {
    const durationMs = exchange.deadline.elapsedMs;
    // 499: the caller left before an answer; 0: the answer was withheld.
    const status = response.headersSent ? response.statusCode : exchange.failureCode === 'withheld' ? 0 : 499;
    metrics.observeRequest(exchange.operation?.id ?? 'none', status, durationMs / 1_000);
    const level = levelOf(status, exchange, successSample);
    if (!logger.isLevelEnabled(level)) return;
    const { requestId, origin, caller, path, billing, failure, failureCode } = exchange;
    logger[level](
      {
        requestId,
        trace: traceIdOf(origin),
        method,
        path: withoutKeySecrets(path.slice(0, pathCharsMax)),
        operation: exchange.operation?.id,
        status,
        code: failureCode,
        durationMs: Math.round(durationMs * 10) / 10,
        workspaceId: caller?.workspaceId,
        keyId: caller?.keyId,
        chargeId: billing.chargeId,
        units: billing.units && nonZeroCountersOf(billing.units),
        earlier: billing.earlier,
        ...(level === 'error'
          ? { err: failure }
          : { reason: failure && withoutKeySecrets(AppError.from(failure).message) }),
      },
      'request',
    );
  };
}

function levelOf(
  status: number,
  { failure, failureCode, billing }: Exchange,
  sample: number,
): 'error' | 'info' | 'debug' {
  if (failureCode === 'withheld') return 'error';
  // Nobody was there to be told.
  if (status === 499) return 'info';
  if (failure !== undefined) return isServerFault(AppError.from(failure)) ? 'error' : 'info';
  if (status >= 400 || billing.units || billing.earlier) return 'info';
  return sample > 0 && Math.random() < sample ? 'info' : 'debug';
}
