import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { encodeRecord, encodeRecordBatch, type RecordFields } from './record-encoding.ts';

const require = createRequire(import.meta.url);
const module = 'kafkajs/src/protocol/recordBatch/record/v0';
const original = require(module) as (fields: RecordFields) => { buffer: Buffer };
const batchModule = 'kafkajs/src/protocol/recordBatch/v0';
const { RecordBatch: originalBatch } = require(batchModule) as {
  RecordBatch(fields: object): Promise<{ buffer: Buffer }>;
};
describe('encoding of records', () => {
  it.each<[string, RecordFields]>([
    ['without anything', {}],
    [
      'with key, value and headers',
      { key: 'ws_1', value: Buffer.from('event'), headers: { a: '1', b: Buffer.from('2') } },
    ],
    ['with an empty key, value and header', { key: '', value: Buffer.alloc(0), headers: { '': '' } }],
    ['without a value', { key: 'ws_1', value: null }],
    ['with characters of several bytes', { key: 'größe', value: Buffer.from('✓'), headers: { é: '€' } }],
    [
      'with lengths at the borders of their encoding',
      { key: 'k'.repeat(63), value: Buffer.alloc(64), headers: { h: 'h'.repeat(8_192) } },
    ],
    ['with a long value', { value: Buffer.alloc(900_000, 7) }],
    ['that is the last of many', { offsetDelta: 999, value: Buffer.from('x') }],
  ])('the encoding of an event %s is that of kafkajs', (_, fields) => {
    expect(encodeRecord(fields).equals(original(fields).buffer)).toBe(true);
  });

  it.each([1, 2, 7, 1_000])('the encoding of a batch of %i events is that of kafkajs', async (count) => {
    const fields = Array.from({ length: count }, (_, n) => ({
      offsetDelta: n,
      key: `ws_${n}`,
      value: Buffer.alloc(n, n),
      headers: { n: String(n) },
    }));
    const timestampMs = 1_764_120_000_123;
    const shared = { producerEpoch: 3, firstSequence: 2_000_000_000 };
    for (const producerId of [0n, 5n, 1_099_511_627_779n]) {
      const ours = encodeRecordBatch({ ...shared, producerId, timestampMs, records: fields.map(encodeRecord) });
      const theirs = await originalBatch({
        ...shared,
        producerId: String(producerId),
        firstTimestamp: timestampMs,
        maxTimestamp: timestampMs,
        lastOffsetDelta: count - 1,
        records: fields.map(original),
      });
      expect(ours.equals(theirs.buffer)).toBe(true);
    }
  });
});
