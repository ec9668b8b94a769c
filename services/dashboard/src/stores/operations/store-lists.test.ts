import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { ListRow } from '../domain/list-row.ts';
import type { ListBatch, StoreList, StoreListStore } from '../outbound/store-lists.ts';
import { exportCsv } from './store-lists.ts';

const visit = { membership: { workspaceId: 'ws_1' } } as WorkspaceVisit;
const id = 'x'.repeat(22);
const total = 10_000;

/** A list of 10,000 domains of which half were looked up, and the number of domains in each reading. */
function start() {
  const readings: number[] = [];
  const state = { isDeleted: false };
  const list = { id, total, batchSize: 100, batches: 100, finished: 50 } as StoreList;
  const store = {
    find: async () => list,
    async batches(_id: string, first: number, count: number) {
      if (state.isDeleted) return [];
      const read = Array.from({ length: count }, (_, n): ListBatch => {
        const domains = Array.from({ length: 100 }, (_, index) => `shop-${(first + n) * 100 + index}.example`);
        return { number: first + n, domains, rows: domains.map((domain): ListRow => ({ domain, match: 'no_match' })) };
      });
      readings.push(read.length * 100);
      return read;
    },
  } as Partial<StoreListStore> as StoreListStore;
  const deps = { lists: store, clock: new ManualClock() } as Partial<Dependencies> as Dependencies;
  return { deps, readings, state };
}

it('an export reads a bounded part when the one before was taken, and has every domain in its order', async () => {
  const { deps, readings } = start();
  const parts = (await exportCsv(deps, visit, id))[Symbol.asyncIterator]();
  expect((await parts.next()).value).toMatch(/^domain,result,/);
  expect(readings).toEqual([]);
  let text = (await parts.next()).value as string;
  expect(readings).toEqual([200]);
  for (let part = await parts.next(); !part.done; part = await parts.next()) text += part.value;
  const rows = text.trimEnd().split('\r\n');
  expect([rows.length, rows[0], rows[9_999]]).toEqual([
    total,
    expect.stringMatching(/^shop-0\.example,no_match,/),
    expect.stringMatching(/^shop-9999\.example,not looked up,/),
  ]);
  expect(Math.max(...readings)).toBe(200);
});

it('an export of a list that is deleted meanwhile fails, so that no shorter file looks whole', async () => {
  const { deps, state } = start();
  const parts = (await exportCsv(deps, visit, id))[Symbol.asyncIterator]();
  await parts.next();
  await parts.next();
  state.isDeleted = true;
  await expect(parts.next()).rejects.toMatchObject({ code: 'not_found' });
});
