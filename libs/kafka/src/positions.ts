import type { Kafka } from './kafka.ts';

/** `topic/partition`, with the topic's name without the prefix. */
export type PartitionName = string;

/**
 * The next offset of a group in each partition. A shared group keeps its positions in Kafka, as commits. A group of one instance that needs
 * only new events keeps them in memory. For such a group, `start` reads the ends of the partitions before the first join.
 */
export type Positions = ReturnType<typeof createPositions>;

export function createPositions(
  kafka: Kafka,
  options: { groupId: string; topics: readonly string[]; fromBeginning: boolean; inMemory: boolean },
) {
  const inMemory = options.inMemory ? new Map<PartitionName, bigint>() : undefined;
  let started = false;

  const committed = async (topic: string): Promise<ReadonlyMap<number, bigint>> => {
    if (!inMemory) return kafka.committedOffsets(options.groupId, topic);
    const own = [...inMemory].filter(([name]) => name.startsWith(`${topic}/`));
    return new Map(own.map(([name, next]) => [Number(name.slice(topic.length + 1)), next]));
  };

  return {
    /** The next offset of each partition, as this process knows it. Undefined if Kafka keeps the positions. */
    inMemory,
    async start(): Promise<void> {
      if (!inMemory || started) return;
      for (const topic of options.topics) {
        for (const [partition, end] of await kafka.endOffsets(topic)) inMemory.set(`${topic}/${partition}`, end);
      }
      started = true;
    },
    async lagByPartition(): Promise<Map<PartitionName, number>> {
      const lags = new Map<PartitionName, number>();
      for (const topic of options.topics) {
        const [ranges, nexts] = await Promise.all([kafka.offsetRanges(topic), committed(topic)]);
        for (const [partition, { low, high }] of ranges) {
          const next = nexts.get(partition) ?? -1n;
          const from = next >= 0n ? next : options.fromBeginning ? low : high;
          // Records that retention removed before the group read them do not count as lag.
          lags.set(`${topic}/${partition}`, Number(high - (from > low ? from : low)));
        }
      }
      return lags;
    },
  };
}
