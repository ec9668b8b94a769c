import { createDeadline } from '@shopscope/async';
import type { GetScanTimesRequest, GetStoresRequest } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createStoreLookUps } from './store-look-ups.ts';

const originIn = (environment: 'live' | 'test') => ({ requestId: '', traceparent: '', environment });
const deadline = () => createDeadline(1_000);

/** A corpus that has every domain. The body of a store is its domain. */
function setUp() {
  const calls: (GetStoresRequest | GetScanTimesRequest)[] = [];
  const lookUps = createStoreLookUps({
    async getStores(request: GetStoresRequest) {
      calls.push(request);
      let offset = 0;
      const stores = request.domains.map(({ length }) => {
        offset += length;
        return { offset: offset - length, length, etag: '"e"', lastCompletedScanAtMs: 1 };
      });
      return { bodies: Buffer.from(request.domains.join('')), stores };
    },
    async getScanTimes(request: GetScanTimesRequest) {
      calls.push(request);
      return { lastCompletedScanAtMs: request.domains.map((_, index) => index + 1) };
    },
  } as unknown as Parameters<typeof createStoreLookUps>[0]);
  return { calls, lookUps };
}

const bodies = (stores: readonly ({ body: Buffer } | undefined)[]) => stores.map((store) => store?.body.toString());

it('test look-ups of two workspaces have calls of their own, and each call names its workspace', async () => {
  const { calls, lookUps } = setUp();
  const origin = originIn('test');
  await Promise.all([
    lookUps.lookUp('matched.test', origin, deadline(), 'ws_a'),
    lookUps.lookUp('matched.test', origin, deadline(), 'ws_b'),
    lookUps.lookUpMany(['stale.test'], origin, deadline(), 'ws_a'),
  ]);
  await lookUps.scanTimes(['stale.test'], origin, deadline(), 'ws_b');
  expect(calls).toEqual([
    { domains: ['matched.test', 'stale.test'], workspaceId: 'ws_a' },
    { domains: ['matched.test'], workspaceId: 'ws_b' },
    { domains: ['stale.test'], workspaceId: 'ws_b' },
  ]);
});

it('live look-ups of different workspaces share a call, which names no workspace', async () => {
  const { calls, lookUps } = setUp();
  const origin = originIn('live');
  await Promise.all([
    lookUps.lookUp('a.example', origin, deadline(), 'ws_a'),
    lookUps.lookUp('b.example', origin, deadline(), 'ws_b'),
  ]);
  expect(calls).toEqual([{ domains: ['a.example', 'b.example'], workspaceId: undefined }]);
});

it.each([
  ['live', 'shop.example', 'matched.test'],
  ['test', 'matched.test', 'shop.example'],
] as const)(
  'a %s look-up does not ask profiles for a domain of the other environment, which is unknown',
  async (environment, own, other) => {
    const { calls, lookUps } = setUp();
    const origin = originIn(environment);
    expect(await lookUps.lookUp(other, origin, deadline(), 'ws_a')).toBeUndefined();
    expect(await lookUps.scanTimes([other], origin, deadline(), 'ws_a')).toEqual([undefined]);
    expect(calls).toEqual([]);
    expect(bodies(await lookUps.lookUpMany([other, own], origin, deadline(), 'ws_a'))).toEqual([undefined, own]);
    expect(await lookUps.scanTimes([other, own], origin, deadline(), 'ws_a')).toEqual([undefined, 1]);
    expect(calls.map(({ domains }) => domains)).toEqual([[own], [own]]);
  },
);
