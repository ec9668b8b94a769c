import { AppError } from '@shopscope/errors';
import { CommitUnknownError } from '@shopscope/mongo';
import type { OpenRecordId } from '../outbound/mongo/open-records.ts';
import type { Dependencies, ReadDependencies } from './dependencies.ts';

/**
 * The times at which confirmations of signals are recorded, and the time until which all of them can be read (decision 70).
 *
 * A time is older than the commit that makes it visible. A reader who has passed it must not meet it later:
 *
 * 1. Before a transaction saves a confirmation, {@link recordIn} announces its time outside of the transaction.
 * 2. The transaction commits. Only then the announcement is deleted.
 * 3. {@link recordedUntil} returns a time before every announcement, and at least {@link settleMs} ago. It is read before the signals.
 *
 * - An instance is killed after step 1 -> readers wait for at most {@link maxOpenMs}. MongoDB has aborted the transaction by then.
 * - The outcome of the commit is unknown -> the announcement stays, as above.
 * - The announcement takes longer than {@link maxAnnounceMs} -> nothing is recorded. A reader may have passed its time.
 * - The clocks of two instances differ -> nothing is lost while they differ by less than settleMs - maxAnnounceMs.
 */
export const settleMs = 10_000;
const maxAnnounceMs = 2_000;
/** MongoDB ends a transaction at the age of a minute. The latest end that was measured is 74 s. */
export const maxOpenMs = 180_000;

type RecordDependencies = Pick<Dependencies, 'openRecords' | 'clock' | 'logger'>;

/** Runs `work` with a function that returns the time of its confirmations. The time is the same in repeated runs of a transaction. */
export async function recordIn<T>(
  { openRecords, clock, logger }: RecordDependencies,
  work: (recordedAt: () => Promise<Date>) => Promise<T>,
): Promise<T> {
  const opened: OpenRecordId[] = [];
  let announced: Date | undefined;
  const recordedAt = async () => {
    if (announced) return announced;
    const at = new Date(clock.now());
    const startedMs = clock.monotonicMs();
    opened.push(await openRecords.open(at));
    if (clock.monotonicMs() - startedMs > maxAnnounceMs) {
      throw new AppError('unavailable', 'The service could not answer; retry in a few seconds.', {
        internal: 'the announcement of a record took too long',
      });
    }
    announced = at;
    return at;
  };
  const close = async () => {
    for (const id of opened) {
      await openRecords
        .close(id)
        .catch((error: unknown) => logger.warn({ err: error }, 'an open record stays until it expires'));
    }
  };
  try {
    const result = await work(recordedAt);
    await close();
    return result;
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) await close();
    throw error;
  }
}

/** Returns the time until which every recorded confirmation can be read now. Read it before the signals. */
export async function recordedUntil(
  { openRecords, clock }: Pick<ReadDependencies, 'openRecords' | 'clock'>,
  timeoutMs: number,
): Promise<Date> {
  const nowMs = clock.now();
  const earliest = await openRecords.earliest(new Date(nowMs - maxOpenMs), timeoutMs);
  return new Date(Math.min(nowMs - settleMs, (earliest?.getTime() ?? nowMs) - 1));
}
