import type { Kafka } from '@shopscope/kafka';
import { usageRecorded } from '@shopscope/proto';

/** Where usage.v1 ends, and how far the ledger has come, by partition. Both reject when Kafka does not answer. */
export interface UsagePositions {
  ends(): Promise<ReadonlyMap<number, bigint>>;
  consumed(): Promise<ReadonlyMap<number, bigint>>;
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
