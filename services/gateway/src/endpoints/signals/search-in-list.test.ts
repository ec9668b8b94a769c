import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import type { SearchSignalsRequest, SignalPosition, StoreSignal } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { type ListSearchDependencies, searchInList } from './search-in-list.ts';

const request = {
  origin: { requestId: 'req_1', traceparent: '', environment: 'live' as const },
  deadline: createDeadline(60_000),
};
const list = { workspaceId: 'ws_1', listId: 'lst_1' };

/** Signal n is of store n modulo `stores`. The newest one is the first. */
const corpusOf = (count: number, stores: number): StoreSignal[] =>
  Array.from(
    { length: count },
    (_, n) => ({ id: `evt_${n}`, domain: `shop-${n % stores}.example`, confirmedAtMs: count - n }) as StoreSignal,
  );
const domainsOf = (count: number, first = 0) => Array.from({ length: count }, (_, n) => `shop-${first + n}.example`);

/** The services, as plain models. */
function setUp(corpus: StoreSignal[], members: string[], { msPerRound = 0 } = {}) {
  const clock = new ManualClock();
  const listed = new Set(members);
  const calls = { places: [] as number[], domains: [] as number[], stores: [] as number[] };
  const page = <Row>(rows: Row[], limit: number, positionOf: (row: Row) => SignalPosition) => {
    const last = rows[limit - 1];
    const hasMore = rows.length > limit;
    return { rows: rows.slice(0, limit), next: hasMore && last ? positionOf(last) : undefined, hasMore };
  };
  const positionOf = ({ id, confirmedAtMs: atMs }: StoreSignal) => ({ id, atMs, recordedUntilMs: undefined });
  const behind = (after: SignalPosition | undefined) => corpus.slice(after ? Number(after.id.slice(4)) + 1 : 0);
  const deps: ListSearchDependencies = {
    clock,
    profiles: {
      async searchSignals({ filters, after, limit }) {
        const domains = filters?.stores?.domains ?? [];
        calls.stores.push(domains.length);
        const wanted = new Set(domains);
        const found = page(
          behind(after).filter(({ domain }) => wanted.has(domain)),
          limit,
          positionOf,
        );
        return { signals: found.rows, next: found.next, hasMore: found.hasMore };
      },
      async listSignalPlaces({ after, limit }) {
        calls.places.push(limit);
        clock.advance(msPerRound);
        const { rows, next, hasMore } = page(behind(after), limit, positionOf);
        const places = rows.map(({ id, domain, confirmedAtMs: atMs }) => ({ id, domain, atMs }));
        return { places, next, hasMore, recordedUntilMs: undefined };
      },
      getSignals: async ({ ids }) => ids.map((id) => corpus[Number(id.slice(4))] as StoreSignal),
    },
    subscriptions: {
      async listListDomains({ limit }) {
        return { domains: [...listed].slice(0, limit), hasMore: listed.size > limit };
      },
      async filterListDomains({ domains }) {
        calls.domains.push(domains.length);
        return { domains: domains.filter((domain) => listed.has(domain)) };
      },
    },
  };
  const read = (after: SignalPosition | undefined, limit: number, filters: object = {}) =>
    searchInList(deps, request, list, { filters, after, limit, ascending: false } as SearchSignalsRequest);
  const walk = async (limit: number, between: (pages: number) => void = () => {}) => {
    const pages: string[][] = [];
    for (let after: SignalPosition | undefined; ; ) {
      const { signals, next, hasMore } = await read(after, limit);
      expect(hasMore).toBe(next !== undefined);
      pages.push(signals.map(({ id }) => id));
      if (!next) return pages;
      after = next;
      between(pages.length);
    }
  };
  const expected = () => corpus.filter(({ domain }) => listed.has(domain)).map(({ id }) => id);
  return { read, walk, expected, listed, calls };
}

it.each([
  ['one store', 1],
  ['5,000 stores', 5_000],
  ['5,001 stores', 5_001],
  ['every store', 12_000],
])('the pages of a list have each signal of its stores once, in the order of the search, for %s', async (_, count) => {
  const { walk, expected } = setUp(corpusOf(30_000, 12_000), domainsOf(count));
  const pages = await walk(200);
  expect(pages.flat()).toEqual(expected());
  expect(pages.slice(0, -1).every(({ length }) => length === 200)).toBe(true);
});

it('a page of a large list with few signals is short, says that there is more, and its next place skips nothing', async () => {
  // The 5,500 stores of the list have one signal each, and 300,000 signals of other stores come first.
  const corpus = [...corpusOf(300_000, 300_000), ...corpusOf(5_500, 5_500)].map((signal, n) => ({
    ...signal,
    id: `evt_${n}`,
    domain: n < 300_000 ? `other-${n}.example` : signal.domain,
  }));
  const { read, walk, expected, calls } = setUp(corpus, domainsOf(5_500));
  const first = await read(undefined, 50);
  expect([first.signals, first.hasMore]).toEqual([[], true]);
  expect(first.next).toBeDefined();
  expect(calls.places).toHaveLength(10);
  expect(Math.max(...calls.places, ...calls.domains)).toBe(5_000);
  expect((await walk(200)).flat()).toEqual(expected());
});

it('a page of a large list ends when its time is over, and the next page continues there', async () => {
  const { read, walk, expected, calls } = setUp(corpusOf(60_000, 60_000), domainsOf(6_000, 54_000), {
    msPerRound: 1_000,
  });
  const first = await read(undefined, 50);
  expect([first.signals, first.hasMore, calls.places.length]).toEqual([[], true, 3]);
  expect((await walk(200)).flat()).toEqual(expected());
});

it('each page has the stores that the list has when the page is read, also when the size of the list changes the way of reading', async () => {
  const { walk, listed, calls } = setUp(corpusOf(10_000, 10_000), domainsOf(4_000));
  const added = domainsOf(4_000, 5_000);
  const pages = await walk(200, (count) => {
    if (count === 2) for (const domain of added) listed.add(domain);
    if (count === 4) for (const domain of added) listed.delete(domain);
    if (count === 6) for (const domain of domainsOf(1_000, 3_000)) listed.delete(domain);
  });
  expect(calls.stores.length).toBeGreaterThan(0);
  expect(calls.places.length).toBeGreaterThan(0);
  expect(pages.flat()).toEqual(Array.from({ length: 3_000 }, (_, n) => `evt_${n}`));
});

it('a signal that is retracted after its place was read is left out, unless retracted ones are requested', async () => {
  const corpus = corpusOf(6_000, 6_000);
  for (const signal of corpus.slice(0, 10)) signal.retractedAtMs = 1;
  const { read } = setUp(corpus, domainsOf(6_000));
  expect((await read(undefined, 50)).signals).toHaveLength(40);
  expect((await read(undefined, 50, { withRetracted: true })).signals).toHaveLength(50);
});
