import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { encodeRecord, patchKafkajsRecordEncoding, type RecordFields } from './patch-kafkajs-record-encoding.ts';

const require = createRequire(import.meta.url);
const module = 'kafkajs/src/protocol/recordBatch/record/v0';
// Loaded before the patch.
const original = require(module) as (fields: RecordFields) => { buffer: Buffer };

describe('the encoding of records', () => {
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
  ])('of an event %s is that of kafkajs', (_, fields) => {
    expect(encodeRecord(fields).buffer.equals(original(fields).buffer)).toBe(true);
    expect(encodeRecord(fields).size()).toBe(original(fields).buffer.length);
  });

  it('is what kafkajs uses in produce requests after the patch', () => {
    patchKafkajsRecordEncoding();
    expect(require(module)).toBe(encodeRecord);
  });
});
