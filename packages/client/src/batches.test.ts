import { describe, expect, test } from 'vitest';
import { batchFrom, createBatches, maxStoresPerCall } from './batches.ts';

const maxBodyBytes = 256 * 1024;
const storesOf = (count: number, more: object) =>
  Array.from({ length: count }, (_, n) => ({ domain: `s${n}.example`, ...more }));

async function* given<Item>(items: readonly Item[]) {
  yield* items;
}

describe.each([
  ['short ids', storesOf(4_500, { external_id: 'crm-1' }), [2_000, 2_000, 500]],
  ['long ids', storesOf(4_500, { external_id: 'é'.repeat(200) }), undefined],
  ['entries that are larger than a request', [`${'a'.repeat(300_000)}`, 'b.example', 'a'.repeat(300_000)], [1, 1, 1]],
] as const)('batches with %s', (_, items: readonly unknown[], sizes) => {
  test('every item is in one batch, in order, and the bounds of a request on entries and bytes hold', async () => {
    const batches = await Array.fromAsync(createBatches(given(items), maxStoresPerCall));
    expect(batches.flatMap((batch) => batch.items)).toEqual(items);
    if (sizes) expect(batches.map((batch) => batch.items.length)).toEqual(sizes);
    for (const batch of batches) {
      const bytes = new TextEncoder().encode(JSON.stringify({ stores: batch.items })).length;
      if (batch.items.length > 1) expect(bytes).toBeLessThan(maxBodyBytes);
      expect(batch.items.length).toBeLessThanOrEqual(maxStoresPerCall);
    }
  });

  test('the batch from a position is the one that the walk has there, so that an interrupted walk continues', async () => {
    for await (const { index, items: batch } of createBatches(given(items), maxStoresPerCall)) {
      expect(batchFrom(items, index, maxStoresPerCall)).toEqual(batch);
    }
    expect(batchFrom(items, items.length, maxStoresPerCall)).toEqual([]);
  });
});
