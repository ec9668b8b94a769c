import { describe, expect, it } from 'vitest';
import { GetStoresResponse } from '../gen/shopscope/profiles/v1/profiles.ts';
import { decodeGetStores, gatherGetStores, type StoreBodies } from './get-stores.ts';

const slice = (offset: number, length: number) => ({
  offset,
  length,
  etag: `"${offset}"`,
  lastCompletedScanAtMs: 1e12,
});
const large = Buffer.alloc(70_000, 'x');
const cases: Record<string, StoreBodies> = {
  'no stores': { bodies: [], stores: [] },
  'only unknown stores': { bodies: [], stores: [slice(0, 0), slice(0, 0)] },
  'one store': { bodies: [Buffer.from('{}')], stores: [slice(0, 2)] },
  'many stores': {
    bodies: [Buffer.from('{"a":1}'), large, Buffer.from('{}')],
    stores: [slice(0, 7), slice(7, large.length), slice(70_007, 2)],
  },
};

const bytesOf = (response: StoreBodies): Buffer => {
  const parts = gatherGetStores(response);
  const bytes = Buffer.alloc(parts.byteLength);
  parts.copy(bytes, 0);
  return bytes;
};

describe('hand-written codec of GetStores', () => {
  it.each(Object.entries(cases))(
    'the hand-written codec of GetStores encodes and decodes exactly as the generated code: %s',
    (_, response) => {
      const whole = { bodies: Buffer.concat(response.bodies), stores: response.stores };
      const generated = Buffer.from(GetStoresResponse.encode(whole).finish());
      expect(bytesOf(response).equals(generated)).toBe(true);
      expect(decodeGetStores(generated)).toEqual(whole);
      const parts = gatherGetStores(response);
      const framed = Buffer.alloc(parts.byteLength + 5);
      expect(parts.copy(framed, 5)).toBe(generated.length);
      expect(framed.subarray(5).equals(generated)).toBe(true);
    },
  );

  it('the hand-written codec of GetStores skips members that a later version adds', () => {
    const later = Buffer.concat([Buffer.from([0x1a, 2, 1, 2]), bytesOf(cases['one store'] as StoreBodies)]);
    expect(decodeGetStores(later).bodies.toString()).toBe('{}');
  });

  it('the hand-written codec of GetStores refuses a truncated message', () => {
    const bytes = bytesOf(cases['many stores'] as StoreBodies);
    for (const length of [3, 1_000, bytes.length - 1]) {
      expect(() => decodeGetStores(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });
});
