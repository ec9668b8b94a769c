import type { Kafka } from './kafka.ts';

/** `topic/partition`, the topic without prefix. */
export type PartitionName = string;

/**
 * How far a group has come in each partition. Shared groups keep it in Kafka, as commits. A group of one instance that
 * only wants what happens from now on keeps it in memory: `start` notes the ends before the first join.
 */
export interface Positions {
  /** Next offset of each partition as this process knows it; undefined when Kafka keeps the positions. */
  readonly inMemory: Map<PartitionName, bigint> | undefined;
  start(): Promise<void>;
  lagByPartition(): Promise<Map<PartitionName, number>>;
}

export function createPositions(
  kafka: Kafka,
  options: { groupId: string; topics: readonly string[]; fromBeginning: boolean; inMemory: boolean },
): Positions {
  const inMemory = options.inMemory ? new Map<PartitionName, bigint>() : undefined;
  let started = false;

  const committed = async (topic: string): Promise<ReadonlyMap<number, bigint>> => {
    if (!inMemory) return kafka.committedOffsets(options.groupId, topic);
    const own = [...inMemory].filter(([name]) => name.startsWith(`${topic}/`));
    return new Map(own.map(([name, next]) => [Number(name.slice(topic.length + 1)), next]));
  };

  return {
    inMemory,
    async start() {
      if (!inMemory || started) return;
      for (const topic of options.topics) {
        for (const [partition, end] of await kafka.endOffsets(topic)) inMemory.set(`${topic}/${partition}`, end);
      }
      started = true;
    },
    async lagByPartition() {
      const lags = new Map<PartitionName, number>();
      for (const topic of options.topics) {
        const [ranges, nexts] = await Promise.all([kafka.offsetRanges(topic), committed(topic)]);
        for (const [partition, { low, high }] of ranges) {
          const next = nexts.get(partition) ?? -1n;
          const from = next >= 0n ? next : options.fromBeginning ? low : high;
          // Retention may have passed a slow group by.
          lags.set(`${topic}/${partition}`, Number(high - (from > low ? from : low)));
        }
      }
      return lags;
    },
  };
}
