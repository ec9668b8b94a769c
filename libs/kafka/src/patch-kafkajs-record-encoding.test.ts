import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  type BatchFields,
  encodeRecord,
  encodeRecordBatch,
  patchKafkajsRecordEncoding,
  type RecordFields,
} from './patch-kafkajs-record-encoding.ts';

const require = createRequire(import.meta.url);
const module = 'kafkajs/src/protocol/recordBatch/record/v0';
// Loaded before the patch.
const original = require(module) as (fields: RecordFields) => { buffer: Buffer };
const batchModule = 'kafkajs/src/protocol/recordBatch/v0';
const { RecordBatch: originalBatch } = require(batchModule) as { RecordBatch: typeof encodeRecordBatch };
const long = require('kafkajs/src/utils/long') as { fromValue(value: number): BatchFields['producerId'] };

describe('encoding of records', () => {
  it.each<[string, RecordFields]>([
    ['without anything', {}],
    [
      'with key, value and headers',
      { key: 'ws_1', value: Buffer.from('event'), headers: { a: '1', b: Buffer.from('2') } },
    ],
    ['with an empty key, value and header', { key: '', value: Buffer.alloc(0), headers: { '': '' } }],
    ['with a header of several values', { headers: { a: ['1', Buffer.from('22')], b: '3' } }],
    ['without a value', { key: 'ws_1', value: null }],
    ['with characters of several bytes', { key: 'größe', value: Buffer.from('✓'), headers: { é: '€' } }],
    [
      'with lengths at the borders of their encoding',
      { key: 'k'.repeat(63), value: Buffer.alloc(64), headers: { h: 'h'.repeat(8_192) } },
    ],
    ['with a long value', { value: Buffer.alloc(900_000, 7) }],
    ['that is the last of many', { offsetDelta: 999, value: Buffer.from('x') }],
    ['with a later time', { timestampDelta: 5_000_000_000, value: Buffer.from('x') }],
    ['with an earlier time', { timestampDelta: -65, value: Buffer.from('x') }],
  ])('the encoding of an event %s is that of kafkajs', (_, fields) => {
    expect(encodeRecord(fields).buffer.equals(original(fields).buffer)).toBe(true);
    expect(encodeRecord(fields).size()).toBe(original(fields).buffer.length);
  });

  it.each([1, 2, 7, 1_000])('the encoding of a batch of %i events is that of kafkajs', async (count) => {
    const records = Array.from({ length: count }, (_, n) =>
      encodeRecord({ offsetDelta: n, key: `ws_${n}`, value: Buffer.alloc(n, n), headers: { n: String(n) } }),
    );
    for (const producerId of [0, 5, '1099511627779', long.fromValue(2 ** 40 + 3)]) {
      const fields: BatchFields = {
        records,
        lastOffsetDelta: count - 1,
        producerId,
        producerEpoch: 3,
        firstSequence: 2_000_000_000,
        firstTimestamp: 1_764_120_000_123,
        maxTimestamp: 1_764_120_000_999,
      };
      const [ours, theirs] = [await encodeRecordBatch(fields), await originalBatch(fields)];
      expect(ours.buffer.equals(theirs.buffer)).toBe(true);
      expect(ours.size()).toBe(theirs.buffer.length);
    }
  });

  it('the encoding of records is what kafkajs uses in produce requests after the patch', () => {
    patchKafkajsRecordEncoding();
    expect(require(module)).toBe(encodeRecord);
    expect(require(batchModule).RecordBatch).toBe(encodeRecordBatch);
  });
});
