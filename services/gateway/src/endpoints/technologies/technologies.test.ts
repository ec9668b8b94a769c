import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { AppError, invalidField } from '@shopscope/errors';
import type { CountStoresRequest, ListTechnologiesRequest } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { SearchClient } from '../../peers/search-client.ts';
import { createCursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import { technologyQuery } from './contract.ts';
import { createStoreCounts } from './store-counts.ts';
import { pageOfTechnologies } from './technologies.ts';

type Numbers = Readonly<Record<string, number>>;

const slugs = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'];
const numbers: Numbers = { golf: 90, bravo: 40, echo: 40, alpha: 3, foxtrot: 1 };
const byStores = ['golf', 'bravo', 'echo', 'charlie', 'delta', 'alpha', 'foxtrot'];
const caller = {
  workspaceId: 'ws_1',
  origin: { requestId: 'req_1', traceparent: '', environment: 'live' } as const,
  deadline: createDeadline(1_000),
};

/** The vocabulary in the order that profiles gives it, and search with the numbers of each edition. */
function setUp() {
  const clock = new ManualClock(0);
  const editions: [id: string, numbers: Numbers][] = [['edn_1', numbers]];
  const search = {
    isAway: false,
    async countStores({ editionId }: CountStoresRequest) {
      if (search.isAway) throw new AppError('unavailable', 'away');
      const found = editionId === '' ? editions.at(-1) : editions.find(([id]) => id === editionId);
      if (!found) throw invalidField('cursor', 'must be of an edition that exists');
      const values = Object.entries(found[1]).map(([value, stores]) => ({ value, stores }));
      return { edition: { id: found[0] }, count: { facets: [{ field: 'technology', values }] } };
    },
  };
  const profiles = {
    async listTechnologies({ afterSlug, limit, order }: ListTechnologiesRequest) {
      const { firstSlugs = [], lastSlugs = [] } = order ?? {};
      const named = new Set([...firstSlugs, ...lastSlugs]);
      const ordered = [...firstSlugs, ...slugs.filter((slug) => !named.has(slug)), ...lastSlugs];
      const rest = ordered.slice(ordered.indexOf(afterSlug) + 1);
      return { technologies: rest.slice(0, limit).map((slug) => ({ slug })), hasMore: rest.length > limit };
    },
  };
  const deps = {
    profiles: profiles as unknown as Dependencies['profiles'],
    storeCounts: createStoreCounts({ search: search as unknown as SearchClient, clock }),
    cursors: createCursorSigner('a secret'),
  };
  const page = (query: object) => pageOfTechnologies(deps, technologyQuery.parse(query), caller);
  return { clock, editions, search, page };
}

/** Follows next_cursor. `between` runs after each page. */
async function walk(page: ReturnType<typeof setUp>['page'], query: object, between: () => void) {
  const found: [slug: string, stores: number | null][] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await page({ ...query, ...(cursor !== undefined && { cursor }) });
    found.push(...data.map(({ slug, stores }) => [slug, stores] as [string, number | null]));
    cursor = next_cursor ?? undefined;
    between();
  } while (cursor !== undefined && found.length <= slugs.length);
  return found;
}

describe('the vocabulary by stores', () => {
  it('the vocabulary by stores begins with the most stores, and ends with hidden numbers; equal and hidden ones are by slug', async () => {
    const { page } = setUp();
    const { data } = await page({ sort: '-stores' });
    expect(data.map(({ slug }) => slug)).toEqual(byStores);
    expect(data.map(({ stores }) => stores)).toEqual([90, 40, 40, 0, 0, null, null]);
  });

  it.each([1, 2, 3])(
    'a walk by stores with %i entries a page has each entry once, with the numbers of its first page, while editions follow each other',
    async (limit) => {
      const { clock, editions, page } = setUp();
      let n = 1;
      const found = await walk(page, { sort: '-stores', limit: String(limit) }, () => {
        // The order turns around with each edition.
        const reversed = slugs.map((slug, at) => [slug, n % 2 === 1 ? at * 100 : (slugs.length - at) * 100] as const);
        editions.push([`edn_${++n}`, Object.fromEntries(reversed)]);
        clock.advance(60_000);
      });
      expect(found).toEqual([
        ['golf', 90],
        ['bravo', 40],
        ['echo', 40],
        ['charlie', 0],
        ['delta', 0],
        ['alpha', null],
        ['foxtrot', null],
      ]);
    },
  );

  it('a walk by stores that begins while search is away has each entry once by slug without numbers, also after search is back', async () => {
    const { clock, search, page } = setUp();
    search.isAway = true;
    const found = await walk(page, { sort: '-stores', limit: '2' }, () => {
      search.isAway = false;
      clock.advance(60_000);
    });
    expect(found).toEqual(slugs.map((slug) => [slug, null]));
  });

  it('a page by stores is unavailable while search is away, and refused after its edition has ended', async () => {
    const { clock, editions, search, page } = setUp();
    const { next_cursor: cursor } = await page({ sort: '-stores', limit: '2' });
    search.isAway = true;
    clock.advance(60_000);
    await expect(page({ sort: '-stores', cursor })).rejects.toMatchObject({ code: 'unavailable' });
    search.isAway = false;
    editions[0] = ['edn_2', numbers];
    clock.advance(60_000);
    await expect(page({ sort: '-stores', cursor })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'cursor' },
    });
  });

  it('a cursor of one order is refused with the other order', async () => {
    const { page } = setUp();
    const { next_cursor: byStoresCursor } = await page({ sort: '-stores', limit: '2' });
    const { next_cursor: bySlugCursor } = await page({ limit: '2' });
    for (const query of [{ cursor: byStoresCursor }, { sort: '-stores', cursor: bySlugCursor }])
      await expect(page(query)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'cursor' } });
  });
});
