import { errorLine, type Logger } from '@shopscope/telemetry';
import { VisitFailure } from '../../domain/reasons.ts';

/**
 * Logs the start and the end of each period in which scans cannot be leased. Each gets one line for all workers and attempts.
 *
 * - A peer is unreachable before the first successful call -> a warning with the reason. Services start in any order.
 * - A peer is unreachable later -> a warning with the reason, without a stack.
 * - Our access to the web is broken -> no line, because the egress watch logs its own changes.
 * - Any other failure -> a warning with the error and its stack.
 */
export function createAvailabilityLog(logger: Pick<Logger, 'info' | 'warn'>) {
  let state: 'starting' | 'not reachable yet' | 'available' | 'failing' = 'starting';
  return {
    failed(error: unknown): void {
      if (state === 'failing' || error instanceof VisitFailure) return;
      const isStarting = state !== 'available' && isUnreachable(error);
      if (isStarting && state === 'starting') {
        logger.warn({ reason: errorLine(error) }, 'scan-scheduler or kafka cannot be reached yet; retrying');
      }
      if (!isStarting) logger.warn(causeOf(error), 'scans cannot be leased; retrying');
      state = isStarting ? 'not reachable yet' : 'failing';
    },
    succeeded(): void {
      if (state === 'starting' || state === 'not reachable yet') logger.info('scan-scheduler responds; leasing scans');
      if (state === 'failing') logger.info('scans can be leased again');
      state = 'available';
    },
  };
}

const causeOf = (error: unknown) => (isUnreachable(error) ? { reason: errorLine(error) } : { err: error });

/** Whether the peer is unreachable. gRPC calls report this by the code of an AppError, kafkajs by the name of its error. */
function isUnreachable(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return code === 'unavailable' || name === 'KafkaJSConnectionError' || name === 'KafkaJSNumberOfRetriesExceeded';
}
