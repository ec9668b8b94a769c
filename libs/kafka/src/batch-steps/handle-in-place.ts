import { isProgramError, isRejected } from '../faults.ts';
import { logFieldsOf } from '../log-fields.ts';
import type { Batch, DecodedEvent, HandlerFailure, StepDependencies } from './batch.ts';

const attemptsInPlace = 5;
const attemptsAtProgramError = 2;

/**
 * Hands the events to the handler, and retries a failure with back-off. Resolves with the last failure, or with undefined when all events
 * are handled.
 *
 * - A program error (for example a TypeError) -> one retry.
 * - The handler rejects an event, or the consumer stops -> no retry.
 */
export async function handleInPlace(
  { groupId, logger, clock, onProgress }: StepDependencies,
  { subscription, topic, partition, isRunning }: Batch,
  events: readonly DecodedEvent[],
  maxAttempts = attemptsInPlace,
): Promise<HandlerFailure | undefined> {
  if (events.length === 0) return undefined;
  for (let tries = 1; ; tries++) {
    try {
      await subscription.handle(events.map(({ received }) => received));
      return undefined;
    } catch (error) {
      const allowed = isProgramError(error) ? attemptsAtProgramError : maxAttempts;
      if (isRejected(error) || tries >= allowed || !isRunning()) return { error };
      const fields = { groupId, topic, partition, tries, ...logFieldsOf(events.map(({ received }) => received.meta)) };
      logger.warn({ ...fields, err: error }, 'events were not handled; trying again');
    } finally {
      onProgress(topic, partition);
    }
    await clock.sleep(Math.min(2_000, 50 * 2 ** tries) * (0.5 + Math.random()));
  }
}
