import { Agent, get } from 'node:http';
import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService, SignalFilters } from '@shopscope/proto';
import { type Db, MongoClient } from 'mongodb';
import { domainOf, loadCorpus } from './corpus.ts';
import { cpuTimes } from './cpu.ts';
import { type GeneratedSignal, generatedSignal, signalValues } from './generated-signals.ts';
import { withMongoCache } from './mongo-cache.ts';
import { createRandom, type Random } from './random.ts';
import { fillSignalCorpus } from './signal-corpus.ts';
import type { Bench, RunningSystem } from './system.ts';

/** The goals for the p99 of a page of history with one caller, and of a page of a search with any two filters and two callers. */
export const historyGoalMs = 15;
export const searchGoalMs = 60;

export interface PageTimes {
  name: string;
  goalMs: number | undefined;
  ms: number[];
  rows: number[];
  failures: number;
}

export type SignalsResult = Awaited<ReturnType<typeof measureSignals>>;

/** The first and the last page of each row. The first page of a search has a row of its own. */
const spans = [
  [1, 1],
  [2, 5],
  [6, 20],
] as const;
const lastPage = 20;
const walkersAtOnce = 2;
/** History is also measured with one caller, because two callers and the bench itself keep two processors busy. */
const readersAtOnce = [1, 2] as const;
const writtenSignals = 10_000;
const signalsPerWrite = 100;

/** MongoDB takes minutes to make the indexes. Heartbeats of the driver that a busy machine delays must not end the command. */
const patient = { connectTimeoutMS: 300_000, serverMonitoringMode: 'poll' } as const;
/** The number of stores that the importer writes. All others are copies of the first one. */
const importedStores = 2;

/**
 * Measures history and search of generated signals through the API, and the cost of the indexes of signals. The signals and the bodies of
 * their stores stay for the next run.
 */
export async function measureSignals(bench: Bench) {
  const { settings, system, say } = bench;
  const { signals, signalStores: stores, signalCacheMegabytes: cache } = settings;
  await loadCorpus(system, importedStores, say);
  const mongo = await new MongoClient(system.mongoUrl, patient).connect();
  try {
    const db = mongo.db('profiles');
    await fillSignalCorpus({ mongo, db, benchDb: mongo.db('bench') }, { signals, stores }, say);
    // Otherwise MongoDB writes them to disk during the measurement.
    await mongo.db('admin').command({ fsync: 1 });
    return await withMongoCache(mongo, cache, async () => {
      const pages = await measurePages(bench);
      say('Writing with and without the indexes of the search …');
      const writes = await measureWrites(db, system, signals);
      const { size, indexSizes } = await db.command({ collStats: 'signals' });
      const indexBytes: Record<string, number> = indexSizes;
      return {
        signals,
        stores,
        pages,
        writes,
        /** The size of the cache of MongoDB. */
        cacheMegabytes: cache,
        /** The bytes of each index. */
        indexBytes,
        /** The bytes of all documents before compression. */
        documentBytes: Number(size),
      };
    });
  } finally {
    await mongo.close();
  }
}

async function measurePages({ settings, system, secret, say }: Bench): Promise<PageTimes[]> {
  const { signalStores: stores, signalWalks } = settings;
  const ask = createAsk(system.apiUrl, secret);
  // The first pages warm the processes up.
  const warmUps = Math.ceil(signalWalks / 4);
  await walkSearches(ask, warmUps, 1_000_000);
  await askHistories(ask, warmUps * lastPage, { stores, readers: walkersAtOnce, seed: 1_000_000 });
  const history: PageTimes[] = [];
  for (const readers of readersAtOnce) {
    say(`History of random stores, callers at a time: ${readers} …`);
    history.push(await askHistories(ask, signalWalks * lastPage, { stores, readers, seed: 1 + readers }));
  }
  say('Search with random pairs of filters …');
  const search = await walkSearches(ask, signalWalks, 1);
  say('The same pages from profiles, without gateway and charge …');
  const read = await readFromProfiles(system, { pages: signalWalks * lastPage, stores });
  return [...history, ...search, ...read];
}

interface Page {
  ms: number;
  rows: number;
  next: string | null;
  failed: boolean;
}

type Ask = (path: string) => Promise<Page>;

/** Creates a client that takes little time, because its time is part of the figures. With `fetch` a page takes half a millisecond more. */
function createAsk(apiUrl: string, secret: string): Ask {
  const options = { agent: new Agent({ keepAlive: true }), headers: { authorization: `Bearer ${secret}` } };
  return async (path) => {
    const startedMs = performance.now();
    const { status, bytes } = await new Promise<{ status: number | undefined; bytes: Buffer }>((resolve, reject) => {
      const request = get(`${apiUrl}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
        response.on('error', reject);
      });
      request.on('error', reject);
    });
    const ms = performance.now() - startedMs;
    const body = JSON.parse(bytes.toString()) as { data?: unknown[]; next_cursor?: string | null };
    return { ms, rows: body.data?.length ?? 0, next: body.next_cursor ?? null, failed: status !== 200 };
  };
}

const noTimes = (name: string, goalMs?: number): PageTimes => ({ name, goalMs, ms: [], rows: [], failures: 0 });

function add(times: PageTimes, { ms, rows, failed }: Page): void {
  times.ms.push(ms);
  times.rows.push(rows);
  if (failed) times.failures++;
}

async function askHistories(
  ask: Ask,
  count: number,
  { stores, readers, seed }: { stores: number; readers: number; seed: number },
): Promise<PageTimes> {
  const goalMs = readers === 1 ? historyGoalMs : undefined;
  const times = noTimes(`history page, random stores, callers at a time: ${readers}`, goalMs);
  const random = createRandom(seed);
  const perReader = Math.ceil(count / readers);
  const work = async () => {
    for (let n = 0; n < perReader; n++) add(times, await ask(`/v1/stores/${domainOf(random(stores))}/history`));
  };
  await Promise.all(Array.from({ length: readers }, work));
  return times;
}

/** Searches with random pairs of filters, and reads the pages of each search one after the other. */
async function walkSearches(ask: Ask, walks: number, seed: number): Promise<PageTimes[]> {
  const times = spans.map(([first, last]) =>
    noTimes(`signal search, two filters, page ${first === last ? first : `${first} to ${last}`}`, searchGoalMs),
  );
  const random = createRandom(seed);
  let started = 0;
  const work = async () => {
    while (started++ < walks) {
      const query = pairOf(random);
      let cursor: string | null = null;
      for (let page = 1; page <= lastPage; page++) {
        const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const answer = await ask(`/v1/signals?${query}${after}`);
        add(times[spans.findIndex(([, last]) => page <= last)] as PageTimes, answer);
        cursor = answer.next;
        if (cursor === null) break;
      }
    }
  };
  await Promise.all(Array.from({ length: walkersAtOnce }, work));
  return times;
}

/** Measures the same pages at profiles. Only this part of their time depends on the number of signals. */
async function readFromProfiles(
  { addresses }: RunningSystem,
  { pages, stores }: { pages: number; stores: number },
): Promise<PageTimes[]> {
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address: addresses.PROFILES_ADDRESS });
  const history = noTimes('history in profiles (part of the rows above)');
  const search = noTimes('signal search in profiles, first pages (part of the rows above)');
  const lists = noTimes('signal search in profiles, ten technologies in four countries, first pages');
  const random = createRandom(4);
  const page = { after: undefined, limit: 50 };
  const timed = async (times: PageTimes, ask: () => Promise<{ signals: unknown[] }>) => {
    const startedMs = performance.now();
    const { signals } = await ask();
    add(times, { ms: performance.now() - startedMs, rows: signals.length, next: null, failed: false });
  };
  try {
    for (let n = 0; n < pages; n++) {
      const domain = domainOf(random(stores));
      await timed(history, () => profiles.getHistory({ ...page, domain, filters: undefined }));
      await timed(search, () =>
        profiles.searchSignals({ ...page, filters: filtersOf(pairOf(random)), ascending: false, onlyCheck: false }),
      );
      const filters = filtersOf(listsOf(random));
      await timed(lists, () => profiles.searchSignals({ ...page, filters, ascending: false, onlyCheck: false }));
    }
    return [history, search, lists];
  } finally {
    profiles.close();
  }
}

/** Returns all technologies, in four countries of any frequency. */
function listsOf(random: Random): URLSearchParams {
  const { technology, country } = signalValues;
  const start = random(country.length);
  const four = Array.from({ length: 4 }, (_, n) => country[(start + n) % country.length]);
  return new URLSearchParams({ technology: technology.join(), country: four.join() });
}

const rpcNames: Readonly<Record<string, keyof SignalFilters>> = {
  type: 'types',
  technology: 'technologies',
  platform: 'platforms',
  country: 'countries',
  industry: 'industries',
};

function filtersOf(query: URLSearchParams): SignalFilters {
  const lists = [...query].map(([name, value]) => {
    const list = rpcNames[name];
    return list ? [list, value.split(',')] : [name, value];
  });
  return SignalFilters.fromPartial(Object.fromEntries(lists));
}

/** Returns two different filters with random values. */
function pairOf(random: Random): URLSearchParams {
  const filters = Object.entries(signalValues);
  const first = random(filters.length);
  const second = (first + 1 + random(filters.length - 1)) % filters.length;
  const chosen = [first, second].map((at): [string, string] => {
    const [name, values] = filters[at] as (typeof filters)[number];
    return [name, values[random(values.length)] as string];
  });
  return new URLSearchParams(chosen);
}

/** Writes new signals into the full collection, and into an empty one without the indexes of the search. */
async function measureWrites(db: Db, system: RunningSystem, signals: number) {
  const indexes = await db.collection('signals').indexes();
  const plain = indexes.filter(({ partialFilterExpression, name }) => !partialFilterExpression && name !== '_id_');
  const scratch = 'bench_signals';
  await db.dropCollection(scratch).catch(() => {});
  const empty = await db.createCollection<GeneratedSignal>(scratch);
  for (const { key } of plain) await empty.createIndex(key);
  const sizes = { signals: signals + writtenSignals, stores: 1_000, nowMs: Date.now() };
  const written = Array.from({ length: writtenSignals }, (_, n) => generatedSignal(signals + n, sizes));
  const removeWritten = () =>
    db.collection<GeneratedSignal>('signals').deleteMany({ _id: { $in: written.map(({ _id }) => _id) } });
  // A run that was killed may have left such signals.
  await removeWritten();
  const measure = async (name: string, collection: string, count: number) => {
    const target = db.collection<GeneratedSignal>(collection);
    const before = cpuTimes(system.pids);
    const startedMs = performance.now();
    for (let at = 0; at < written.length; at += signalsPerWrite) {
      await target.insertMany(written.slice(at, at + signalsPerWrite), { writeConcern: { w: 'majority' } });
    }
    const us = ((performance.now() - startedMs) * 1_000) / written.length;
    const cpuUs = ((cpuTimes(system.pids).mongod ?? 0) - (before.mongod ?? 0)) / written.length;
    /** `us` is the time per signal in µs, and `cpuUs` the CPU time of mongod per signal. */
    return { name, indexes: count, cpuUs, us };
  };
  try {
    return [
      await measure('an empty collection without the indexes of the search', scratch, plain.length + 1),
      await measure(`a collection of ${signals} signals with all indexes`, 'signals', indexes.length),
    ];
  } finally {
    await db.dropCollection(scratch);
    await removeWritten();
  }
}
