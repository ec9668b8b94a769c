import { isRetryable } from '@shopscope/errors';
import { isPermanent, isUnavailable, reasonOf } from '../faults.ts';
import type { Batch, DecodedEvent, HandlerFailure, RejectedMessage, StepDependencies } from './batch.ts';
import { handleInPlace } from './handle-in-place.ts';

/** The maximum number of attempts each time an event is handled alone. */
const attemptsAlone = 2;
/** Isolation ends when this many events have failed alone and none has succeeded. The cause is then probably not an event. */
const maxFailuresWithoutSuccess = 3;

/**
 * Finds the events that fail by themselves, after their batch has failed in place. It handles the events one by one. Resolves with the
 * events for the dead-letter topic. Rejects if the whole batch must be delivered again.
 *
 * - The handler rejects an event (PoisonError or `invalid_request`), or the event causes a program error again -> dead letter. The event
 *   would fail every time and block its partition.
 * - An event fails for another reason, other events succeed alone, and the event fails once more -> dead letter.
 * - No event succeeds alone -> the batch is delivered again, because the cause is probably not an event.
 * - An event has no other event to compare with (it is alone in the batch, or all others have its key and wait for it) -> dead letter after
 *   ten deliveries.
 * - A server that the handler uses is unavailable -> no isolation. The batch is delivered again.
 * - The failure is retryable (a time limit passed, or a commit's outcome is unknown) -> never a dead letter, because the event may be a
 *   charge. The other events are handled, and the batch is delivered again.
 *
 * Order: events of one key stay in order. The events that follow a failing event and have its key wait until it is handled or rejected.
 */
export async function isolateFailingEvents(
  deps: StepDependencies,
  batch: Batch,
  events: readonly DecodedEvent[],
  { error }: HandlerFailure,
): Promise<RejectedMessage[]> {
  if (!batch.isRunning() || isUnavailable(error)) throw error;
  const [event, ...others] = events;
  if (!event) return [];
  if (others.length > 0) return handleOneByOne(deps, batch, events);
  const { message } = event;
  if (!isPermanent(error) && (isRetryable(error) || !deps.deliveries.countDelivery(batch, message))) throw error;
  return [{ message, reason: reasonOf(error) }];
}

async function handleOneByOne(
  deps: StepDependencies,
  batch: Batch,
  events: readonly DecodedEvent[],
): Promise<RejectedMessage[]> {
  const rejected: RejectedMessage[] = [];
  /** For each key, the event that failed and the later events of that key. This keeps the events of one key in order. */
  const heldByKey = new Map<string, DecodedEvent[]>();
  let succeededAlone = 0;
  /** Resolves with the error of the event, or with undefined if the event was handled. */
  const handleAlone = async (event: DecodedEvent): Promise<unknown> => {
    const failure = await handleInPlace(deps, batch, [event], attemptsAlone);
    if (!failure) {
      succeededAlone += 1;
      return undefined;
    }
    const { error } = failure;
    if (!batch.isRunning() || isUnavailable(error)) throw error;
    return error ?? new Error('the handler failed without an error');
  };
  const reject = ({ message }: DecodedEvent, error: unknown) => rejected.push({ message, reason: reasonOf(error) });

  for (const event of events) {
    const waiting = heldByKey.get(event.received.key);
    if (waiting) {
      waiting.push(event);
      continue;
    }
    const error = await handleAlone(event);
    if (error === undefined) continue;
    if (isPermanent(error)) reject(event, error);
    else heldByKey.set(event.received.key, [event]);
    if (succeededAlone === 0 && heldByKey.size >= maxFailuresWithoutSuccess) throw error;
  }
  for (const event of [...heldByKey.values()].flat()) {
    const error = await handleAlone(event);
    if (error === undefined) continue;
    const isAlone = heldByKey.size === 1;
    const isItsFailure = succeededAlone > 0 || (isAlone && deps.deliveries.countDelivery(batch, event.message));
    if (!isPermanent(error) && (isRetryable(error) || !isItsFailure)) throw error;
    reject(event, error);
  }
  return rejected;
}
