import { createDeadline, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { KeyActivity } from '@shopscope/proto';
import type { KeyActivityCounter } from './key-activity.ts';

export interface KeyActivityReportsOptions {
  counter: Pick<KeyActivityCounter, 'take' | 'size'>;
  /** Resolves when the reports are durable. */
  publish(reports: readonly KeyActivity[], timeoutMs: number): Promise<void>;
  /** A restarted process needs another id, because its sequences start again. */
  processId: string;
  clock: Clock;
  onReports(outcome: 'sent' | 'failed', reports: number): void;
  onError(error: unknown): void;
  maxReports?: number;
}

const intervalMs = 15_000;
/** A report costs Kafka and two services more than some requests. A run therefore publishes a quarter of the counts, the oldest first. */
const partOfCounts = 1 / 4;
/** If there are fewer counts, a run publishes all. */
const manyCounts = 100;
/** If there are more counts, a run publishes all: the counter has no room for many more. */
const fullCounts = 5_000;
const publishTimeoutMs = 2_000;
const stopTimeoutMs = 3_000;

/**
 * Publishes the counted responses of each key every 15 s. While many keys have new counts, it publishes those of a key every minute.
 *
 * - A report keeps its sequence and its content until Kafka has acknowledged it. New counts wait for a later report. A
 *   report whose acknowledgement was lost is therefore sent again, and consumers ignore the second one.
 * - Order: one report of a key is open at a time. A report never overtakes an earlier one that may not be durable.
 * - Sequence: one number series for all keys. It needs no memory per key and increases from report to report of each key.
 *
 * Failures:
 * - Kafka is unavailable -> the open reports are sent again after the interval. The counter keeps new counts, up to its bound.
 * - The process is killed -> the counts since the latest report are lost.
 *
 * Bounds: `maxReports` open reports, {@link publishTimeoutMs} per request to Kafka, {@link stopTimeoutMs} for a stop.
 */
export function startKeyActivityReports(options: KeyActivityReportsOptions) {
  const { counter, publish, processId, clock, onReports, maxReports = 1_000 } = options;
  let open: KeyActivity[] = [];
  let sequence = 0;

  const takeReports = (max: number) =>
    counter.take(max).map((count): KeyActivity => {
      sequence++;
      return { ...count, instanceId: processId, sequence };
    });

  /** `due` returns how many of the waiting counts the run publishes. Without this bound, a run would not end while requests arrive. */
  const sendWhile = async (due: (counts: number) => number, mayContinue: () => boolean) => {
    let left = open.length + due(counter.size);
    while (left > 0 && mayContinue()) {
      if (open.length === 0) open = takeReports(Math.min(left, maxReports));
      try {
        await publish(open, publishTimeoutMs);
      } catch {
        // The producer logs the cause.
        onReports('failed', open.length);
        return;
      }
      onReports('sent', open.length);
      left -= open.length;
      open = [];
    }
  };

  const loop = startPeriodicLoop({
    intervalMs,
    clock,
    run: (abort) => sendWhile(dueOf, () => !abort.aborted),
    onError: options.onError,
  });

  return {
    /** Ends the loop and sends the responses that were counted until now. */
    async stop(): Promise<void> {
      const deadline = createDeadline(stopTimeoutMs, { clock });
      const sendLast = async () => {
        await loop.stop();
        await sendWhile(
          (counts) => counts,
          () => !deadline.expired,
        );
      };
      await deadline.race(sendLast()).catch(() => {});
    },
  };
}

const dueOf = (counts: number) =>
  counts > manyCounts && counts < fullCounts ? Math.max(manyCounts, Math.ceil(counts * partOfCounts)) : counts;
