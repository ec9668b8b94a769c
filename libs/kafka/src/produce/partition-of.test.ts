import fc from 'fast-check';
import { type ICustomPartitioner, Partitioners, type PartitionMetadata } from 'kafkajs';
import { expect, it } from 'vitest';
import { partitionOf } from './partition-of.ts';

const partitionMetadata = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => ({ partitionId, leader: 0 }) as PartitionMetadata);

it('an event has the partition that kafkajs gives its key', () => {
  const theirs = (Partitioners.DefaultPartitioner as ICustomPartitioner)();
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
      expect(partitionOf(anyKey, count)).toBe(theirs(args));
    }),
    { numRuns: 2_000 },
  );
});
