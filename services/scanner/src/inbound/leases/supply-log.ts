import { type Logger, messagesOf } from '@shopscope/telemetry';

/**
 * Logs when work cannot be had and when it can again: one line each, whatever the number of workers and tries.
 * - A peer cannot be reached before work was had for the first time -> one line with the reason and without a stack:
 *   services of a system start in any order.
 * - A peer cannot be reached later, e.g. because a connection ended -> one line with the reason, without a stack.
 * - Any other failure -> one line with its cause and stack.
 */
export interface SupplyLog {
  failed(error: unknown): void;
  answered(): void;
}

export function createSupplyLog(logger: Pick<Logger, 'info' | 'warn'>): SupplyLog {
  let state: 'starting' | 'not reachable yet' | 'supplied' | 'failing' = 'starting';
  return {
    failed(error) {
      if (state === 'failing') return;
      const isStarting = state !== 'supplied' && isUnreachable(error);
      if (isStarting && state === 'starting') {
        logger.warn({ reason: messagesOf(error) }, 'scan-scheduler or kafka cannot be reached yet; trying again');
      }
      if (!isStarting) logger.warn(causeOf(error), 'no work can be had; asking again');
      state = isStarting ? 'not reachable yet' : 'failing';
    },
    answered() {
      if (state === 'starting' || state === 'not reachable yet') logger.info('scan-scheduler answers; taking work');
      if (state === 'failing') logger.info('work can be had again');
      state = 'supplied';
    },
  };
}

const causeOf = (error: unknown) => (isUnreachable(error) ? { reason: messagesOf(error) } : { err: error });

/** As calls and the broker's client say that nobody answers: an AppError's code, or the name of kafkajs's error. */
function isUnreachable(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return code === 'unavailable' || name === 'KafkaJSConnectionError' || name === 'KafkaJSNumberOfRetriesExceeded';
}
