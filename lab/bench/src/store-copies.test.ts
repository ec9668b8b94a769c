import { Binary } from 'mongodb';
import { expect, it } from 'vitest';
import { copyStores, type StoredBody } from './store-copies.ts';

const storedWith = (n: number, etag: string): StoredBody => ({
  _id: `bench-${n}.example`,
  body: new Binary(Buffer.from(`{"domain":"bench-${n}.example"}`)),
  etag,
  sequence: 1,
  firstScanAt: new Date(Date.UTC(2026, 0, 15)),
  lastCompletedScanAt: new Date(Date.UTC(2026, 0, 15)),
});

it('stores are not copied when their bodies differ in more than the copy can change', async () => {
  const stored = [storedWith(0, '"a"'), storedWith(1, '"b"')];
  const bodies = {
    countDocuments: async () => 2,
    findOne: async ({ _id }: { _id: string }) => stored.find((each) => each._id === _id),
    insertMany: async () => {
      throw new Error('inserted');
    },
  };
  await expect(copyStores(bodies as never, 10, () => {})).rejects.toThrow('is not a copy');
});
