import fc from 'fast-check';
import { type ICustomPartitioner, Partitioners, type PartitionMetadata } from 'kafkajs';
import { expect, it } from 'vitest';
import { createPartitioner } from './partitioner.ts';

const partitionMetadata = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => ({ partitionId, leader: 0 }) as PartitionMetadata);

it('an event has the partition that kafkajs gives its key', () => {
  const [ours, theirs] = [createPartitioner, Partitioners.DefaultPartitioner as ICustomPartitioner].map((create) =>
    create(),
  );
  const key = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 200 }), (anyKey, count) => {
      const args = {
        topic: 'usage.v1',
        partitionMetadata: partitionMetadata(count),
        message: { key: anyKey, value: null },
      };
      expect(ours?.(args)).toBe(theirs?.(args));
    }),
    { numRuns: 2_000 },
  );
});

it('an event with a partition of its own stays there', () => {
  const message = { key: 'ws_1', value: null, partition: 7 };
  expect(createPartitioner()({ topic: 'usage.v1', partitionMetadata: partitionMetadata(12), message })).toBe(7);
});
