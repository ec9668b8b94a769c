import { createDeadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { ensureCollections } from '@shopscope/mongo';
import { Registry } from '@shopscope/telemetry';
import { nightlyUnless, type TestNamespace, testNamespace } from '@shopscope/testing';
import { type CommandStartedEvent, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownValues } from '../../src/domain/known-values.ts';
import type { SignalPage, SignalPosition } from '../../src/domain/signal-query.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import { getHistory, type RequestedFilters, searchSignals } from '../../src/operations/query-signals.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { maxExaminedPerPage } from '../../src/outbound/mongo/signal-pages.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createExplain } from './support/explained.ts';
import { type GeneratedSignal, generatedSignals, insertSignals } from './support/generated-signals.ts';

const technologies = createTechnologyIndex(vocabulary, 'https://site.example');
const slugs = [
  'klaviyo',
  'shopify',
  'yotpo',
  'woocommerce',
  'judge-me',
  'sapo',
  'gorgias',
  'hotjar',
  'stripe',
  'meta-pixel',
].filter((slug) => technologies.find(slug));
const signals = generatedSignals(40_000, slugs);
const metrics = createMetrics(new Registry());
const limit = 200;

let namespace: TestNamespace;
let client: MongoClient;
let db: Db;
let explain: ReturnType<typeof createExplain>;
let commands: Document[] = [];
/** Commands that MongoDB has not answered. */
let running = { now: 0, most: 0 };

beforeAll(async () => {
  namespace = testNamespace('signal-queries');
  client = await MongoClient.connect(namespace.mongoUrl, { monitorCommands: true });
  db = client.db(namespace.databaseName('profiles'));
  await ensureCollections(db, collections);
  await insertSignals(db, signals);
  explain = createExplain(client, db);
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName !== 'find') return;
    commands.push(command);
    running.now++;
    running.most = Math.max(running.most, running.now);
  });
  client.on('commandSucceeded', ({ commandName }) => {
    if (commandName === 'find') running.now--;
  });
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
const rare = slugs.at(-1) as string;
const middle = new Date(Date.UTC(2026, 0, 15));
const later = new Date(Date.UTC(2026, 0, 18));
const inKind =
  (kind: string) =>
  ({ technology }: GeneratedSignal) =>
    technologies.find(technology)?.kind === kind;
const category = technologies.find('klaviyo')?.category as string;

/** Each filter, with what it selects; frequent and rare values. */
const filters: { name: string; query: Partial<RequestedFilters>; selects(signal: GeneratedSignal): boolean }[] = [
  { name: 'type', query: { types: ['status_changed'] }, selects: ({ type }) => type === 'status_changed' },
  { name: 'technology', query: { technologies: [rare] }, selects: ({ technology }) => technology === rare },
  {
    name: 'an earlier slug of a technology',
    query: { technologies: ['bizweb'] },
    selects: ({ technology }) => technology === 'sapo',
  },
  { name: 'kind', query: { kind: 'platform' }, selects: inKind('platform') },
  {
    name: 'category',
    query: { category },
    selects: ({ technology }) => technologies.find(technology)?.category === category,
  },
  { name: 'platform', query: { platforms: ['custom'] }, selects: ({ platform }) => platform === 'custom' },
  { name: 'country', query: { countries: ['ZZ'] }, selects: ({ country }) => country === 'ZZ' },
  {
    name: 'industry',
    query: { industries: ['toys-and-games'] },
    selects: ({ industry }) => industry === 'toys-and-games',
  },
  { name: 'confidence', query: { confidence: 'low' }, selects: ({ confidence }) => confidence === 'low' },
  { name: 'from', query: { effective: { from: middle } }, selects: ({ effectiveAt }) => effectiveAt >= middle },
  { name: 'to', query: { effective: { to: middle } }, selects: ({ effectiveAt }) => effectiveAt <= middle },
  {
    name: 'confirmed_from and confirmed_to',
    query: { confirmed: { from: middle, to: later } },
    selects: ({ confirmedAt }) => confirmedAt !== null && confirmedAt >= middle && confirmedAt <= later,
  },
  { name: 'a value that no signal has', query: { countries: ['AQ'] }, selects: () => false },
];
const pairs = filters
  .flatMap((first, at) => filters.slice(at + 1).map((second) => ({ first, second })))
  .filter(({ first, second }) => !(first.query.technologies && second.query.technologies))
  .map(({ first, second }, at) => ({
    names: `${first.name} with ${second.name}`,
    query: merged(first.query, second.query),
    selects: (signal: GeneratedSignal) => first.selects(signal) && second.selects(signal),
    // Each filter is in some of these pairs.
    options: nightlyUnless(at % 3 === 0),
  }));

function merged(first: Partial<RequestedFilters>, second: Partial<RequestedFilters>): Partial<RequestedFilters> {
  return { ...first, ...second, effective: { ...first.effective, ...second.effective } };
}

/** Newest confirmedAt first, then the larger id. */
const orderedOf = (...states: string[]) =>
  signals
    .filter(({ state }) => states.includes(state))
    .toSorted((a, b) => Number(b.confirmedAt) - Number(a.confirmedAt) || (a._id < b._id ? 1 : -1));
const ordered = orderedOf('confirmed');

const dependencies = () => ({
  signals: createSignalStore(db, 1_825),
  openRecords: createOpenRecordStore(db, 'live'),
  knownValues: createKnownValues(technologies),
  technologies,
  metrics,
  clock: systemClock,
  logger: { warn: () => {} } as never,
});

const ask = async (query: Partial<RequestedFilters>, after?: SignalPosition): Promise<SignalPage> => {
  const { hasMore, ...page } = await searchSignals(
    dependencies(),
    { filters: { ...none, ...query }, after, limit },
    createDeadline(30_000),
  );
  expect(hasMore).toBe(page.next !== undefined);
  return page;
};

/** Returns how much the commands of one page examine. */
async function explainPage(query: Partial<RequestedFilters>, after?: SignalPosition) {
  const { result: page, ...cost } = await explain(() => ask(query, after));
  return { page, ...cost };
}

describe('search of signals', () => {
  for (const { names, query, options } of pairs) {
    it(`the search of signals examines few documents by an index, without a sort, for ${names}`, options, async () => {
      let after: SignalPosition | undefined;
      for (const _ of ['the first page', 'the second page']) {
        const { page, stages, documents, checkedKeys, countedKeys } = await explainPage(query, after);
        expect([...stages].filter((stage) => ['COLLSCAN', 'SORT', 'SORT_MERGE', 'OR'].includes(stage))).toEqual([]);
        expect(documents).toBeLessThanOrEqual(limit + 1);
        // One key more ends each range.
        expect(checkedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10);
        expect(countedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10);
        if (!page.next) return;
        after = page.next;
      }
    });
  }

  for (const { names, query, selects, options } of pairs) {
    it(`the search of signals returns each match once and in order over its pages, for ${names}`, options, async () => {
      const found: string[] = [];
      let pages = 0;
      for (let after: SignalPosition | undefined; ; pages++) {
        const page: SignalPage = await ask(query, after);
        found.push(...page.signals.map(({ id }) => id));
        if (!page.next) break;
        after = page.next;
        expect(pages).toBeLessThan(300);
      }
      const expected = ordered.filter(selects);
      expect(found).toEqual(expected.map(({ _id }) => _id));
    });
  }

  it.each([
    ['effective', { effective: { from: later, to: middle } }],
    ['confirmed', { confirmed: { from: later, to: new Date(-1) } }],
  ])(
    'the search of signals has no signal and no further page when the span of %s times ends before it begins',
    async (_, query) => {
      commands = [];
      expect(await ask(query)).toEqual({ signals: [], next: undefined });
      expect(commands).toEqual([]);
    },
  );

  it('the search of signals has nothing after a position that is before the beginning of the span', async () => {
    const { next } = await ask({});
    const at = next?.at as Date;
    // Signals of the very time of the position remain, while the span has it.
    const after = { at, id: 'evt_zzz' };
    expect((await ask({ confirmed: { from: at } }, after)).signals).not.toEqual([]);
    expect(await ask({ confirmed: { from: new Date(at.getTime() + 1) } }, after)).toEqual({
      signals: [],
      next: undefined,
    });
  });

  it('a later page with a frequent filter waits for two answers of MongoDB, and for no third one about the time of its position', async () => {
    const { next } = await ask({ confidence: 'high' });
    commands = [];
    running = { now: 0, most: 0 };
    expect((await ask({ confidence: 'high' }, next)).signals).toHaveLength(limit);
    expect(commands).toHaveLength(3);
    expect(running.most).toBe(2);
  });

  it('the search of signals gives a short page with a next one when few of the examined signals match', async () => {
    const first = await ask({ platforms: ['bigcommerce'] });
    expect(first.signals).toEqual([]);
    expect(first.next).toBeDefined();
    const { values } = await metrics.signalPages.get();
    expect(values.find(({ labels }) => labels.end === 'cut')?.value).toBeGreaterThan(0);
  });

  it('a search whose pages are read while signals are confirmed has each row of the time of the first page once', async () => {
    const before = ordered.filter(({ country }) => country === 'ZZ').map(({ _id }) => _id);
    const found: string[] = [];
    const added: string[] = [];
    for (let after: SignalPosition | undefined, n = 0; ; n++) {
      const page: SignalPage = await ask({ countries: ['ZZ'] }, after);
      found.push(...page.signals.map(({ id }) => id));
      if (!page.next) break;
      after = page.next;
      const [model] = signals.filter(({ state }) => state === 'confirmed');
      const _id = `evt_new-${n}`;
      added.push(_id);
      const at = new Date(Date.UTC(2027, 0, 1) + n);
      await insertSignals(db, [
        { ...(model as GeneratedSignal), _id, country: 'ZZ', confirmedAt: at, effectiveAt: at },
      ]);
    }
    expect(found).toEqual(before);
    await db.collection<{ _id: string }>('signals').deleteMany({ _id: { $in: added } });
  });
});

describe('search of retracted signals', () => {
  const allOf = async (query: Partial<RequestedFilters>) => {
    const found: SignalPage['signals'] = [];
    for (let after: SignalPosition | undefined, pages = 0; ; pages++) {
      const page: SignalPage = await ask(query, after);
      found.push(...page.signals);
      if (!page.next) return found;
      after = page.next;
      expect(pages).toBeLessThan(300);
    }
  };
  const span = { from: middle, to: later };
  const isInSpan = ({ retractedAt }: GeneratedSignal) =>
    retractedAt !== null && retractedAt >= middle && retractedAt <= later;

  it.each(filters)(
    'a search that includes retracted signals has them once and in order beside the confirmed ones, for $name',
    async ({ query, selects }) => {
      const found = await allOf({ ...query, retractions: 'with' });
      expect(found.map(({ id }) => id)).toEqual(
        orderedOf('confirmed', 'retracted')
          .filter(selects)
          .map(({ _id }) => _id),
      );
    },
  );

  it.each(filters)(
    'a search of retracted signals has only those that were retracted in a span of time, for $name',
    async ({ query, selects }) => {
      const found = await allOf({ ...query, retractions: 'only', retracted: span });
      const expected = orderedOf('retracted').filter((signal) => selects(signal) && isInSpan(signal));
      expect(found.map(({ id, retractedAt }) => [id, retractedAt])).toEqual(
        expected.map(({ _id, retractedAt }) => [_id, retractedAt]),
      );
    },
  );

  it.each(filters)(
    'a search of retracted signals examines few documents by an index, without a sort in memory, for $name',
    async ({ query }) => {
      for (const over of [{ retractions: 'with' }, { retractions: 'only', retracted: span }] as const) {
        const { stages, documents, checkedKeys } = await explainPage({ ...query, ...over });
        expect([...stages].filter((stage) => ['COLLSCAN', 'SORT', 'OR'].includes(stage))).toEqual([]);
        // The two states are merged in order: each has one more document ready.
        expect(documents).toBeLessThanOrEqual(limit + 2);
        expect(checkedKeys).toBeLessThanOrEqual(maxExaminedPerPage + 10);
      }
    },
  );

  it('a search of retracted signals examines none that was confirmed over 30 days before the span of retractions', async () => {
    const old = { from: new Date(Date.UTC(2026, 2, 1)) };
    const { page, checkedKeys } = await explainPage({ retractions: 'only', retracted: old });
    expect(page).toEqual({ signals: [], next: undefined });
    expect(checkedKeys).toBeLessThan(10);
  });
});

describe('history of a store', () => {
  it('the history of a store is read after the observation that it names, so no signal of that observation is missing', async () => {
    const observation = { coverage_note: null, last_completed_scan_at: '2026-01-15T00:00:00.000Z', scope: 'full' };
    const body = Buffer.from(JSON.stringify({ observation }));
    const order: string[] = [];
    const storeBodies = {
      async find([domain]: string[]) {
        await db.command({ ping: 1 });
        order.push('body');
        return new Map([[domain, { body, etag: '', lastCompletedScanAt: middle }]]);
      },
    };
    const store = createSignalStore(db, 1_825);
    const history: typeof store.history = (...given) => {
      order.push('signals');
      return store.history(...given);
    };
    const deps = { signals: { ...store, history }, technologies, metrics, storeBodies, bodiesAreSeparate: () => true };
    const page = { domain: 'shop-0.example', filters: none, after: undefined, limit };
    const found = await getHistory(deps as never, page, createDeadline(30_000));
    expect(order).toEqual(['body', 'signals']);
    expect(found).toMatchObject({ observation, signals: expect.arrayContaining([expect.anything()]) });
  });

  it.each([
    ['no filter', {}],
    ['a type', { types: ['technology_removed'] }],
    ['technologies', { technologies: slugs.slice(0, 2) }],
    ['times', { effective: { from: middle, to: later } }],
    ['retracted signals', { retractions: 'with' }],
    ['retracted signals only', { retractions: 'only', retracted: { from: new Date(0) } }],
  ])(
    'the history has each confirmed signal once over its pages, newest effective time first, with %s',
    async (_name, query) => {
      const [withRetracted] = orderedOf('retracted');
      const domain = 'retractions' in query ? (withRetracted?.domain ?? '') : 'shop-0.example';
      const asked = query as Partial<RequestedFilters>;
      const { types, technologies: wanted, effective, retractions = 'none' } = asked;
      const states = { none: ['confirmed'], with: ['confirmed', 'retracted'], only: ['retracted'] }[retractions];
      const expected = signals
        .filter((signal) => signal.domain === domain && states.includes(signal.state))
        .filter((signal) => types === undefined || types.includes(signal.type))
        .filter((signal) => wanted === undefined || wanted.includes(signal.technology))
        .filter(({ effectiveAt: at }) => !effective || (at >= (effective.from as Date) && at <= (effective.to as Date)))
        .toSorted((a, b) => Number(b.effectiveAt) - Number(a.effectiveAt) || (a._id < b._id ? 1 : -1));
      const store = createSignalStore(db, 1_825);
      const found: string[] = [];
      for (let after: SignalPosition | undefined; ; ) {
        const bounds = { after, limit: 2, timeoutMs: () => 10_000 };
        const filters = { effective: {}, confirmed: {}, retractions, retracted: {}, ...asked };
        const { result: page, stages } = await explain(() => store.history(domain, filters, bounds));
        expect(stages).not.toContain('SORT');
        expect(stages).toContain('IXSCAN');
        found.push(...page.signals.map(({ id }) => id));
        if (!page.next) break;
        after = page.next;
      }
      expect(expected.length).toBeGreaterThan(0);
      expect(found).toEqual(expected.map(({ _id }) => _id));
    },
  );
});
