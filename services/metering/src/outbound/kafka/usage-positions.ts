import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shopscope/errors';
import type { Kafka } from '@shopscope/kafka';
import { usageRecorded } from '@shopscope/proto';
import { hasPassed } from '../../domain/positions.ts';

/** Where usage.v1 ends, and how far the ledger has come, by partition. Both reject when Kafka does not answer. */
export interface UsagePositions {
  ends(): Promise<ReadonlyMap<number, bigint>>;
  consumed(): Promise<ReadonlyMap<number, bigint>>;
}

const caughtUpBoundMs = 5_000;
const askEveryMs = 20;

/**
 * Resolves once the ledger holds every usage event that was durable when it was called. Rejects with `internal` after
 * `timeoutMs`, or five seconds, also when Kafka does not answer.
 */
export async function caughtUp(positions: UsagePositions, timeoutMs: number): Promise<void> {
  const bound = new AbortController();
  const ended = delay(Math.min(timeoutMs, caughtUpBoundMs), undefined, { signal: bound.signal }).then(() => {
    throw new AppError('internal', 'The service could not answer; retry in a few seconds.', {
      internal: 'the ledger did not catch up with usage.v1 in time',
    });
  });
  const follow = async () => {
    const ends = await positions.ends();
    while (!bound.signal.aborted && !hasPassed(await positions.consumed(), ends)) await delay(askEveryMs);
  };
  try {
    await Promise.race([follow(), ended]);
  } finally {
    bound.abort();
    ended.catch(() => {});
  }
}

export function createUsagePositions(kafka: Kafka, groupId: string): UsagePositions {
  return {
    async ends() {
      const ranges = await kafka.offsetRanges(usageRecorded.topic);
      // A partition that retention has emptied has nothing to be read, whether it was ever committed or not.
      return new Map([...ranges].map(([partition, { low, high }]) => [partition, high > low ? high : 0n]));
    },
    consumed: () => kafka.committedOffsets(groupId, usageRecorded.topic),
  };
}
