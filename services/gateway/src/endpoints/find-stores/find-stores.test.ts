import { createDeadline } from '@shopscope/async';
import { RequestBilling } from '@shopscope/charging';
import { systemClock } from '@shopscope/clock';
import { type FindStoresRequest, ReserveOutcome, StoreRow, type Units, unitsOf } from '@shopscope/proto';
import type { StoreQuery } from '@shopscope/store-search';
import { describe, expect, it } from 'vitest';
import { createCursorSigner } from '../cursor.ts';
import { findPage } from './find-stores.ts';

const query: StoreQuery = {
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [] },
  sort: 'domain',
};
const rowOf = (n: number) => StoreRow.fromPartial({ domain: `store-${n}.example`, body: Buffer.from('{}') });

/** Five stores, and a charge that an earlier execution has settled with these units. */
function setUp(settled: Units) {
  const asked: Pick<FindStoresRequest, 'editionId' | 'after' | 'limit'>[] = [];
  const deps = {
    search: {
      async findStores({ editionId, after, limit }: FindStoresRequest) {
        asked.push({ editionId, after, limit });
        const rows = [1, 2, 3, 4, 5].slice(Number(after), Number(after) + limit).map(rowOf);
        const end = Number(after) + rows.length;
        return { edition: { id: 'edn_1', builtAtMs: 1, stores: 5 }, rows, next: end < 5 ? String(end) : undefined };
      },
    },
    cursors: createCursorSigner('a secret of the test'),
    tagOf: (_: string, etag: string) => `"${etag}"`,
    clock: systemClock,
    leases: { charge: async () => undefined },
    balances: { put: () => {} },
    onCharge: () => {},
    metering: { reserve: async () => ({ outcome: ReserveOutcome.ALREADY_SETTLED, attempt: 1, units: settled }) },
  } as unknown as Parameters<typeof findPage>[0];
  const charge = {
    caller: { keyId: 'key_1', workspaceId: 'ws_1', keyEnvironment: 'live', plan: { historyDays: 30, included: {} } },
    origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
    deadline: createDeadline(5_000),
    billing: new RequestBilling(),
    operation: 'searchStores',
    chargeId: 'chg_1',
    fingerprint: Buffer.from('a body'),
  } as unknown as Parameters<typeof findPage>[1];
  const page = async (cursor?: string) => {
    const { body } = await findPage(deps, charge, { query, view: 'full', limit: 4, cursor });
    return JSON.parse(String(body)) as { data: { domain: string }[]; billed: object; next_cursor: string | null };
  };
  return { page, asked };
}

describe('a page whose charge an earlier execution has settled', () => {
  it('a page has no more rows than its settled charge, and the next page begins after them', async () => {
    const { page, asked } = setUp(unitsOf({ lookupCached: 2 }));
    const first = await page();
    expect(first.data.map(({ domain }) => domain)).toEqual(['store-1.example', 'store-2.example']);
    expect(first.billed).toEqual({ lookup_cached: 2, history_query: 0 });
    expect(asked).toEqual([
      { editionId: '', after: '', limit: 4 },
      { editionId: 'edn_1', after: '', limit: 2 },
    ]);
    const second = await page(first.next_cursor ?? '');
    expect(second.data.map(({ domain }) => domain)).toEqual(['store-3.example', 'store-4.example']);
  });

  it('a page whose settled charge has no rows is empty, and the next page begins at the same place', async () => {
    const { page, asked } = setUp(unitsOf({}));
    const first = await page();
    expect([first.data, first.billed]).toEqual([[], { lookup_cached: 0, history_query: 0 }]);
    await page(first.next_cursor ?? '');
    expect(asked.at(-1)).toEqual({ editionId: 'edn_1', after: '', limit: 4 });
  });
});
