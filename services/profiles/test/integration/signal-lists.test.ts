import { createDeadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { ensureCollections } from '@shopscope/mongo';
import { Registry } from '@shopscope/telemetry';
import { type TestNamespace, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownValues } from '../../src/domain/known-values.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import {
  followSignals,
  listSignalPlaces,
  type RequestedFilters,
  searchSignals,
} from '../../src/operations/query-signals.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { maxExaminedPerPage } from '../../src/outbound/mongo/signal-pages.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createExplain } from './support/explained.ts';
import { generatedSignals, insertSignals } from './support/generated-signals.ts';

/** Tests how much one page of a search with lists as filters examines. */

const technologies = createTechnologyIndex(vocabulary, 'https://site.example');
const slugs = vocabulary.filter((_, at) => at % 300 === 0).map(({ slug }) => slug);
const signals = generatedSignals(30_000, slugs);
const limit = 200;
/** For each range that MongoDB merges, it reads one more key and one more document. */
const mostRanges = 40;

let namespace: TestNamespace;
let client: MongoClient;
let db: Db;
let explain: ReturnType<typeof createExplain>;

beforeAll(async () => {
  namespace = testNamespace('signal-lists');
  client = await MongoClient.connect(namespace.mongoUrl, { monitorCommands: true });
  db = client.db(namespace.databaseName('profiles'));
  await ensureCollections(db, collections);
  await insertSignals(db, signals);
  explain = createExplain(client, db);
});
afterAll(async () => {
  await client?.close();
  await namespace?.cleanup();
});

const none: RequestedFilters = {
  types: [],
  technologies: [],
  kind: '',
  category: '',
  platforms: [],
  countries: [],
  industries: [],
  confidence: '',
  fromValues: [],
  toValues: [],
  effective: {},
  confirmed: {},
  retractions: 'none',
  retracted: {},
};

const dependencies = () => ({
  signals: createSignalStore(db, 1_825),
  openRecords: createOpenRecordStore(db, 'live'),
  knownValues: createKnownValues(technologies),
  technologies,
  metrics: createMetrics(new Registry()),
  clock: systemClock,
  logger: { warn: () => {} } as never,
});
const search = (query: Partial<RequestedFilters>) =>
  searchSignals(dependencies(), { filters: { ...none, ...query }, after: undefined, limit }, createDeadline(30_000));
const follow = (query: Partial<RequestedFilters>, at?: Date) =>
  followSignals(
    dependencies(),
    { filters: { ...none, ...query }, after: at && { at, id: '' }, limit },
    createDeadline(30_000),
  );

const rare = slugs.slice(-10);
const countries = ['DE', 'FR', 'NL', 'ZZ'];
const lists: [name: string, query: Partial<RequestedFilters>][] = [
  ['ten technologies in four countries', { technologies: rare, countries }],
  ['twenty technologies', { technologies: slugs.slice(0, 20) }],
  ['a changed platform', { types: ['platform_changed'], fromValues: ['magento'], toValues: ['shopify'] }],
  ['four countries and three industries', { countries, industries: ['beauty', 'food', 'toys-and-games'] }],
  ['types and platforms', { types: ['platform_changed', 'status_changed'], platforms: ['magento', 'prestashop'] }],
  ['values of states', { fromValues: ['active'], toValues: ['closed', 'parked'] }],
];

describe('search of signals with lists', () => {
  it.each(lists)('a search with lists examines a bounded number of index keys, for %s', async (_, query) => {
    for (const retractions of ['none', 'with', 'only'] as const) {
      const { stages, documents, checkedKeys, countedKeys } = await explain(() => search({ ...query, retractions }));
      expect([...stages].filter((stage) => ['COLLSCAN', 'SORT', 'OR'].includes(stage))).toEqual([]);
      expect(documents).toBeLessThanOrEqual(limit + 1 + mostRanges);
      expect(checkedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10 * mostRanges);
      expect(countedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10 * mostRanges);
    }
  });

  it.each(lists)('an ascending search examines a bounded number of index keys, for %s', async (_, query) => {
    const middle = new Date(Date.UTC(2026, 0, 10));
    for (const read of [() => follow({ ...query, confirmed: { from: middle } }), () => follow(query, middle)]) {
      const { stages, documents, checkedKeys, countedKeys } = await explain(read);
      expect([...stages].filter((stage) => ['COLLSCAN', 'SORT', 'OR'].includes(stage))).toEqual([]);
      expect(documents).toBeLessThanOrEqual(limit + 1 + mostRanges);
      expect(checkedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10 * mostRanges);
      expect(countedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10 * mostRanges);
    }
  });

  it('a search for ten rare technologies examines no signals of others', async () => {
    const few = rare.slice(-3);
    const { result, checkedKeys } = await explain(() => search({ technologies: few }));
    const matching = signals.filter(
      ({ technology, state }) => few.includes(technology) && state === 'confirmed',
    ).length;
    expect(result.signals).toHaveLength(Math.min(limit, matching));
    expect(checkedKeys).toBeLessThanOrEqual(Math.min(limit, matching) + mostRanges);
  });

  it('a search for changes to a platform examines no signals of other platforms and technologies', async () => {
    const { checkedKeys, commands } = await explain(() =>
      search({ types: ['platform_changed'], fromValues: ['magento'], toValues: ['shopify'] }),
    );
    expect(commands.map(({ filter }) => filter.technology)).toEqual(commands.map(() => 'shopify'));
    expect(commands.at(-1)?.filter).toMatchObject({ from: 'magento', to: 'shopify' });
    const ofShopify = signals.filter(({ technology }) => technology === 'shopify').length;
    expect(checkedKeys).toBeLessThanOrEqual(ofShopify + 10);
  });
});

describe('search of signals in given stores', () => {
  // 30,000 signals are of 3,000 stores.
  const domains = Array.from({ length: 1_000 }, (_, n) => `shop-${n * 3}.example`);
  const ofStores = signals.filter(({ domain }) => domains.includes(domain)).length;

  it.each([
    ['all types', {}],
    ['a rare technology', { technologies: rare.slice(-1) }],
  ])('a search in 1,000 stores examines only index keys of these stores, for %s', async (_, query) => {
    const walks = [
      () => search({ ...query, domains }),
      () => follow({ ...query, domains, confirmed: { from: new Date(1) } }),
    ];
    for (const read of walks) {
      const { stages, documents, checkedKeys, countedKeys } = await explain(read);
      expect([...stages].filter((stage) => ['COLLSCAN', 'SORT', 'OR'].includes(stage))).toEqual([]);
      // A group of 200 stores keeps one key and one document of each ready.
      expect(documents).toBeLessThanOrEqual(5 * (limit + 1 + 200));
      expect(checkedKeys).toBeLessThanOrEqual(ofStores + 2 * domains.length);
      expect(countedKeys).toBeLessThanOrEqual(ofStores + 2 * domains.length);
    }
  });

  it('places of signals are read from index keys only', async () => {
    const request = { filters: none, after: undefined, limit: 5_000, isAscending: false };
    const { result, documents, checkedKeys } = await explain(() =>
      listSignalPlaces(dependencies(), request, createDeadline(30_000)),
    );
    expect(result.signals).toHaveLength(5_000);
    expect(documents).toBe(0);
    expect(checkedKeys).toBeLessThanOrEqual(5_001);
  });

  it('a search in no stores finds nothing, and more than 5,000 stores are refused', async () => {
    expect(await search({ domains: [] })).toMatchObject({ signals: [], next: undefined, hasMore: false });
    const tooMany = Array.from({ length: 5_001 }, (_, n) => `shop-${n}.example`);
    await expect(search({ domains: tooMany })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('values that do not exist', () => {
  it.each([
    ['type[1]', 'app_added', { types: ['technology_added', 'app_added'] }, ''],
    ['technology[1]', 'klavio', { technologies: ['gorgias', 'klavio'] }, 'klaviyo'],
    ['platform[0]', 'shopfy', { platforms: ['shopfy'] }, 'shopify'],
    ['platform[0]', 'klaviyo', { platforms: ['klaviyo'] }, ''],
    ['country[1]', 'UK', { countries: ['DE', 'UK'] }, 'UA, UG, UM'],
    ['industry[0]', 'toy-and-games', { industries: ['toy-and-games'] }, 'toys-and-games'],
    ['from_value[0]', 'magneto', { fromValues: ['magneto'] }, 'magento'],
    ['to_value[1]', 'close', { toValues: ['shopify', 'close'] }, 'closed'],
  ])('%s is refused with the value %s and near ones', async (path, value, query, near) => {
    for (const read of [search, follow]) {
      const refused = await read(query).catch((error: unknown) => error as { code: string; publicMessage: string });
      expect(refused).toMatchObject({ code: 'invalid_request' });
      const { publicMessage } = refused as { publicMessage: string };
      expect(publicMessage.startsWith(`${path}: `)).toBe(true);
      expect(publicMessage).toContain(`"${value}"`);
      expect(publicMessage).toContain(near);
    }
  });

  it('unknown country, unclassified industry, custom platform and custom theme are values like others', async () => {
    const query = { countries: ['ZZ'], industries: ['unclassified'], platforms: ['custom'], toValues: ['custom'] };
    await expect(search({ ...query, technologies: ['custom', 'custom-theme'] })).resolves.toMatchObject({
      next: undefined,
    });
    const { signals: found } = await search({ countries: ['ZZ'], industries: ['unclassified'] });
    expect(found.length).toBeGreaterThan(0);
  });
});
