import { createDeadline } from '@shopscope/async';
import { CountStoresRequest, FindStoresRequest } from '@shopscope/proto';
import { encodeQuery } from '@shopscope/store-search';
import { describe, expect, it } from 'vitest';
import { createSearchSystem } from '../../../test/support/search-system.ts';
import type { EditionState } from '../../domain/edition-state.ts';
import { createSearchTurns } from '../../operations/search-turns.ts';
import { searchHandlers } from './handlers.ts';

const query = encodeQuery({
  where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [] },
  sort: 'domain',
});
const edition = { id: 'edn_1', index: 'stores-1', pointInTime: 'view-1', builtAtMs: 0, stores: 0 };

/** An engine whose searches wait until they are released. */
async function setUp() {
  const { instance, engine } = createSearchSystem();
  const state: EditionState = { editions: [edition], opening: null };
  await engine.states.write('editions', state, undefined);
  const begun: (() => void)[] = [];
  const pointsInTime = {
    search: () =>
      new Promise((resolve) => {
        begun.push(() => resolve({ hits: { total: { value: 0 }, hits: [] } }));
      }),
  };
  const deps = instance('a', { turns: createSearchTurns({ maxPerWorkspace: 1 }), pointsInTime: pointsInTime as never });
  const handlers = searchHandlers(deps);
  const callOf = (deadline = createDeadline(60_000)) =>
    ({ origin: { requestId: 'req_1', traceparent: '', environment: 'live' }, deadline }) as never;
  return {
    begun,
    release: () => {
      for (const end of begun.splice(0)) end();
    },
    find: (workspaceId: string, deadline?: ReturnType<typeof createDeadline>) =>
      handlers.findStores(FindStoresRequest.fromPartial({ query, limit: 1, workspaceId } as never), callOf(deadline)),
    count: (workspaceId: string, of = query) =>
      handlers.countStores(CountStoresRequest.fromPartial({ query: of, workspaceId } as never), callOf()),
    settled: () => new Promise(setImmediate),
  };
}

describe('calls of search', () => {
  it('pages and counts of a workspace run one after another, whoever calls, and those of another workspace beside them', async () => {
    const { begun, release, find, count, settled } = await setUp();
    const calls = [find('ws_1'), find('ws_1'), count('ws_1'), find('ws_2')];
    await settled();
    expect(begun).toHaveLength(2);
    release();
    await settled();
    expect(begun).toHaveLength(1);
    release();
    // A count sends the request for its numbers, and then the one for its sample.
    for (let requests = 0; requests < 2; requests++) {
      await settled();
      expect(begun).toHaveLength(1);
      release();
    }
    await Promise.all(calls);
  });

  it('a count without the stores of a list sends its two requests one after another', async () => {
    const { begun, release, count, settled } = await setUp();
    const where = { status: { any: ['closed'] }, technologies: [], dropped: [], list: { none: ['lst_1'] } };
    const counted = count('ws_1', encodeQuery({ where, sort: 'domain' }));
    for (let requests = 0; requests < 2; requests++) {
      await settled();
      expect(begun).toHaveLength(1);
      release();
    }
    expect((await counted).total).toBe(0);
  });

  it('a search whose caller disconnected while it waited never reaches the engine', async () => {
    const { begun, release, find, settled } = await setUp();
    const first = find('ws_1');
    const deadline = createDeadline(60_000);
    const left = find('ws_1', deadline);
    const next = find('ws_1');
    await settled();
    deadline.cancel(new Error('disconnected'));
    release();
    await first;
    await expect(left).rejects.toThrow('took too long');
    await settled();
    expect(begun).toHaveLength(1);
    release();
    await next;
  });
});
