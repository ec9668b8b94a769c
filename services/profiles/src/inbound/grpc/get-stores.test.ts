import { createDeadline, createKeyedSlots } from '@shopscope/async';
import type { HandlerContext } from '@shopscope/grpc';
import type { StoreSlice } from '@shopscope/proto';
import { noOrigin } from '@shopscope/telemetry';
import { describe, expect, it } from 'vitest';
import { maxBytesPerResponse } from '../../operations/get-stores.ts';
import { profilesHandlers } from './handlers.ts';
import type { EveryEnvironment } from './read-handlers.ts';

const mebibyte = 1024 * 1024;

/** A corpus of stores with bodies of these sizes: the name of a store is its size. */
function corpusOf(sizes: Record<string, number>) {
  const deps = {
    storeBodies: {
      find: async (domains: readonly string[]) =>
        new Map(
          domains.flatMap((domain) => {
            const size = sizes[domain];
            const stored = { body: Buffer.alloc(size ?? 0, domain), etag: '"e"', lastCompletedScanAt: new Date(1) };
            return size === undefined ? [] : [[domain, stored] as const];
          }),
        ),
    },
    metrics: { storesPerLookUp: { observe: () => {} } },
  } as unknown as EveryEnvironment['live'] & EveryEnvironment['test'];
  const context = () => ({ deadline: createDeadline(10_000), origin: noOrigin }) as HandlerContext;
  const handlers = profilesHandlers({ live: deps, test: deps }, createKeyedSlots({}), createKeyedSlots({}));
  const ask = async (domains: readonly string[]) => {
    const { bodies, stores } = await handlers.getStores({ domains: [...domains] }, context());
    return { bytes: Buffer.concat(bodies), stores };
  };
  return { ask };
}

const named = (count: number, size: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}.example`, size]));
const deferredOf = (domains: readonly string[], stores: readonly StoreSlice[]) =>
  domains.filter((_, i) => stores[i]?.deferred);

describe('parts of a look-up', () => {
  it('a look-up above the message limit is answered in parts that are each below it, and every part has a body', async () => {
    const sizes = named(20, 1.2 * mebibyte);
    const { ask } = corpusOf(sizes);
    let wanted = Object.keys(sizes);
    let calls = 0;
    for (; wanted.length > 0; calls++) {
      const { bytes, stores } = await ask(wanted);
      expect(bytes.length).toBeLessThanOrEqual(maxBytesPerResponse);
      const deferred = deferredOf(wanted, stores);
      expect(deferred.length).toBeLessThan(wanted.length);
      for (const [i, { offset, length }] of stores.entries()) {
        const expected = stores[i]?.deferred ? 0 : sizes[wanted[i] as string];
        expect(length).toBe(Math.floor(expected as number));
        if (length > 0) expect(bytes.subarray(offset, offset + 9).toString()).toBe(wanted[i]?.slice(0, 9));
      }
      wanted = deferred;
    }
    expect(calls).toBe(7);
  });

  it('a look-up in parts has the small bodies in its first part, so the size of one store delays no other', async () => {
    const { ask } = corpusOf({ 'huge.example': 15 * mebibyte, 'large.example': 4 * mebibyte, ...named(50, 3_000) });
    const domains = ['huge.example', 'large.example', 'absent.example', ...Object.keys(named(50, 0))];
    const { stores } = await ask(domains);
    expect(deferredOf(domains, stores)).toEqual(['huge.example', 'large.example']);
    expect(stores[2]).toMatchObject({ length: 0, etag: '' });
    expect(stores[2]?.deferred).toBeFalsy();
  });

  it('a body of any size is returned when it is asked for alone', async () => {
    const { ask } = corpusOf({ 'huge.example': 15 * mebibyte });
    const { bytes, stores } = await ask(['huge.example']);
    expect([bytes.length, stores[0]?.length]).toEqual([15 * mebibyte, 15 * mebibyte]);
  });
});
