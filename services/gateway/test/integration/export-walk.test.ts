import { dayMs } from '@shopscope/clock';
import { generatedStore } from '@shopscope/test-tenant/generated';
import { isNightly, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Backends } from './support/backends.ts';
import { call, type TestAnswer } from './support/http.ts';
import { putStore, type SearchTestSystem, startSearchTest } from './support/search.ts';

/** Enough for several pages of a walk and several steps of an export. */
const stores = isNightly ? 3_000 : 1_500;
const pageRows = stores / 15;
const removedApps = ['lucky-orange', 'omnisend', 'tidio', 'privy', 'stamped'];

function fillCorpus(backends: Backends): void {
  for (let n = 1; n <= stores; n++) {
    const past = generatedStore(n);
    const [first, last] = [past[0], past.at(-1)];
    if (!first || !last) throw new Error('a generated store has no scan');
    const { platform, country, technologies, catalog } = last.seen;
    const days = Math.ceil(last.agoMs / dayMs);
    const removed = first.seen.technologies.filter((slug) => removedApps.includes(slug));
    putStore(backends, `generated-${n}.example`, {
      platform,
      country,
      scope: n % 50 === 0 ? 'partial' : 'full',
      products: catalog?.products ?? 0,
      technologies: Object.fromEntries(
        technologies.map((slug) => [slug, first.seen.technologies.includes(slug) ? undefined : days]),
      ),
      removed: Object.fromEntries(removed.map((slug) => [slug, days])),
      moved: first.seen.platform === platform ? {} : { [first.seen.platform]: days },
    });
  }
}

/** Returns the stores whose lines the text does not have after the line before. */
function missingInOrder(text: string, lines: readonly string[]): string[] {
  let end = 0;
  const missing = lines.filter((line) => {
    const start = text.indexOf(line, end);
    if (start >= 0) end = start + line.length;
    return start < 0;
  });
  return missing.map((line) => JSON.parse(line).domain);
}

const queries = [
  { flat: 'sort=domain', sort: 'domain', where: {}, min: 0.96 * stores },
  {
    flat: 'platform=shopify&country=DE,US&technology_any=klaviyo&technology_none=judge-me,loox&sort=-product_count',
    sort: '-product_count',
    where: {
      platform: { any: ['shopify'] },
      country: { any: ['DE', 'US'] },
      technologies: [{ any: ['klaviyo'] }, { none: ['judge-me', 'loox'] }],
    },
    min: stores / 60,
  },
  {
    flat: `dropped_any=${removedApps}&sort=-last_changed_at`,
    sort: '-last_changed_at',
    where: { dropped: [{ any: removedApps }] },
    min: stores / 7.5,
  },
  {
    flat: 'moved_from_platform=magento&products_min=50&sort=-last_completed_scan_at',
    sort: '-last_completed_scan_at',
    where: { moved: { from_platform: ['magento'] }, products: { min: 50 } },
    min: stores / 150,
  },
];

describe('the walk and the export of a query', () => {
  let system: SearchTestSystem;
  beforeAll(async () => {
    const scopes = ['read:stores', 'read:signals', 'read:watchlists', 'read:jobs'];
    system = await startSearchTest({ scopes, plan: { historyDays: 90, rpm: 100_000 } }, fillCorpus);
  }, 240_000);
  afterAll(() => system?.stop());
  beforeEach(() => system.changeWorkspace());

  /** Reads all pages in the flat form, or by POST. Returns the edition of the pages with their rows. */
  async function walk({ flat, where, sort }: (typeof queries)[number], isFlat: boolean) {
    const pages: { text: string; editionId: string; rows: { domain: string }[] }[] = [];
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { text, body }: TestAnswer = isFlat
        ? await system.send('GET', `/v1/stores?${flat}&limit=${pageRows}${next}`)
        : await system.send('POST', '/v1/stores/search', { where, sort, limit: pageRows, cursor });
      pages.push({ text, editionId: body.edition.id, rows: body.data });
      cursor = body.next_cursor;
    }
    return pages;
  }

  /** Exports the rows, and returns the lines of all parts in their order. */
  async function exportLines({ where, sort }: (typeof queries)[number]): Promise<string[]> {
    const bounds = { max_units: { lookup_cached: stores, history_query: 10 } };
    const { body: job } = await system.send('POST', '/v1/stores/export', { where, sort, ...bounds });
    await waitUntil('the end of the export', async () => {
      const { state } = (await system.send('GET', `/v1/jobs/${job.id}`)).body;
      if (state === 'failed') throw new Error('the export failed');
      return state === 'succeeded';
    });
    const { data, next_cursor: next } = (await system.send('GET', `/v1/jobs/${job.id}/results`)).body;
    expect(next).toBeNull();
    const lines: string[] = [];
    for (const { part, rows } of data) {
      const { text } = await call(system.gateway, `/v1/jobs/${job.id}/parts/${part}`, { key: system.key.secret });
      const found = text.trimEnd().split('\n');
      expect(found).toHaveLength(rows);
      lines.push(...found);
    }
    return lines;
  }

  it.each(queries)(
    'the pages of GET and POST, the export and the count of $flat have the same stores, in one order and byte for byte',
    async (query) => {
      const counted = (await system.send('POST', '/v1/stores/count', { where: query.where })).body;
      const [flat, posted] = [await walk(query, true), await walk(query, false)];
      const domains = flat.flatMap(({ rows }) => rows.map(({ domain }) => domain));
      expect(domains.length).toBeGreaterThanOrEqual(query.min);
      expect(counted.total).toEqual({ value: domains.length, relation: 'eq' });
      expect(new Set(domains).size).toBe(domains.length);
      const exported = await exportLines(query);
      expect(exported).toHaveLength(domains.length);
      for (const pages of [flat, posted]) {
        expect(pages.flatMap(({ rows }) => rows)).toHaveLength(domains.length);
        expect(missingInOrder(pages.map(({ text }) => text).join(''), exported)).toEqual([]);
      }
      const editions = [...flat, ...posted].map(({ editionId }) => editionId);
      expect([...new Set([counted.edition.id, ...editions])]).toHaveLength(1);
    },
    120_000,
  );
});
