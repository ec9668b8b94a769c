import type { KafkaMessage } from 'kafkajs';
import type { Batch, FetchedBatch, StepDependencies } from './batch.ts';

/** Moves the group's position to the end of the batch: in Kafka, or in memory if the group keeps it there. */
export async function commitBatch(
  { positions, onProgress }: StepDependencies,
  { topic, partition, messages }: Batch,
  { batch, resolveOffset, commitOffsetsIfNecessary }: FetchedBatch,
): Promise<void> {
  const last = (messages.at(-1) as KafkaMessage).offset;
  const next = BigInt(last) + 1n;
  resolveOffset(last);
  if (positions.inMemory) positions.inMemory.set(`${topic}/${partition}`, next);
  else {
    const partitions = [{ partition, offset: String(next) }];
    await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
  }
  onProgress(topic, partition);
}
