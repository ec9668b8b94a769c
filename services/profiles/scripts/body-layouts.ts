import { parseArgs } from 'node:util';
import { vocabulary } from '@shopscope/fingerprint';
import { Binary, type Collection, MongoClient } from 'mongodb';
import { mergeObservation } from '../src/domain/merge-observation.ts';
import { storeBody } from '../src/domain/store-body.ts';
import { seen, tech } from '../test/support/observed.ts';

/**
 * Compares places of the store bodies by the cost of look-ups of a hundred random stores, in alternating rounds:
 * `node --conditions=@shopscope/source services/profiles/scripts/body-layouts.ts --url=mongodb://… [--stores=200000]`.
 * Start mongod with `--wiredTigerCacheSizeGB 0.25`, so that the data does not fit into its cache, or with a larger cache, so
 * that it does. The database `body_layouts` is dropped at the end. Results of different machines are not comparable.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'mongodb://127.0.0.1:27017/?replicaSet=rs0' },
    stores: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    lookups: { type: 'string', default: '400' },
  },
});
const count = Number(values.stores);
const rounds = Number(values.rounds);
const lookUpsPerRound = Number(values.lookups);
const lookUpsPerWarmUp = 2 * lookUpsPerRound;
const domainsPerLookUp = 100;
const concurrency = 4;
const technologiesPerStore = 12;
const apps = vocabulary.filter(({ kind }) => kind !== 'platform' && kind !== 'theme');

interface Stored {
  _id: string;
  body: Buffer;
  etag: string;
  lastCompletedScanAt: Date;
}
interface Layout {
  name: string;
  collection: string;
  projection?: Record<string, 1>;
  options?: object;
}
const smallPages = { storageEngine: { wiredTiger: { configString: 'leaf_page_max=8KB' } } };
const layouts: Layout[] = [
  { name: 'with the profile', collection: 'together', projection: { body: 1, etag: 1, lastCompletedScanAt: 1 } },
  { name: 'a collection of its own', collection: 'apart' },
  { name: 'the same, pages of 8 KB', collection: 'small_pages', options: smallPages },
];

const client = await MongoClient.connect(values.url, {
  readConcern: { level: 'majority' },
  promoteBuffers: true,
  maxPoolSize: concurrency,
});
const db = client.db('body_layouts');
try {
  await seed();
  await db.admin().command({ fsync: 1 });
  for (const { name, collection } of layouts) {
    const stats = await db.command({ collStats: collection });
    print(name, `${stats.avgObjSize} bytes per document, ${Math.round(stats.storageSize / 2 ** 20)} MB on disk`);
  }
  const measured = new Map(layouts.map(({ name }) => [name, [] as Cost[]]));
  for (let round = 0; round < rounds; round++) {
    for (const layout of layouts) {
      // The cache holds the data of the layout before.
      await lookUp(layout, lookUpsPerWarmUp);
      measured.get(layout.name)?.push(await costOf(() => lookUp(layout, lookUpsPerRound)));
    }
  }
  for (const [name, costs] of measured) print(name, textOf(costs));
} finally {
  await db.dropDatabase();
  await client.close();
}

/** Per look-up. */
interface Cost {
  ms: number;
  serverCpuMs: number;
  ownCpuMs: number;
  pagesRead: number;
  kilobytesRead: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const server = async () => {
    const { extra_info, wiredTiger } = await db.admin().command({ serverStatus: 1 });
    return {
      serverCpuMs: (Number(extra_info.user_time_us) + Number(extra_info.system_time_us)) / 1_000,
      pagesRead: Number(wiredTiger.cache['pages read into cache']),
      kilobytesRead: Number(wiredTiger['block-manager']['bytes read']) / 1_024,
    };
  };
  const [before, own, startedMs] = [await server(), process.cpuUsage(), performance.now()];
  await work();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(own);
  const after = await server();
  const per = (total: number) => total / lookUpsPerRound;
  return {
    ms: per(ms * concurrency),
    serverCpuMs: per(after.serverCpuMs - before.serverCpuMs),
    ownCpuMs: per((user + system) / 1_000),
    pagesRead: per(after.pagesRead - before.pagesRead),
    kilobytesRead: per(after.kilobytesRead - before.kilobytesRead),
  };
}

async function lookUp({ collection, projection }: Layout, times: number): Promise<void> {
  const stored: Collection<Stored> = db.collection(collection);
  let left = times;
  const worker = async () => {
    while (left-- > 0) {
      const domains = Array.from({ length: domainsPerLookUp }, () => domainOf(Math.floor(Math.random() * count)));
      const options = { ...(projection && { projection }), batchSize: domainsPerLookUp + 1 };
      const found = await stored.find({ _id: { $in: domains } }, options).toArray();
      if (!found.every(({ body }) => body.length > 0)) throw new Error('a body is missing');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function seed(): Promise<void> {
  await db.dropDatabase();
  for (const { collection, options } of layouts) await db.createCollection(collection, options);
  for (let start = 0; start < count; start += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, count - start) }, (_, i) => start + i);
    const made = numbers.map(documentsOf);
    for (const { collection, projection } of layouts) {
      const documents = made.map(({ whole, apart }) => (projection ? whole : apart));
      await db
        .collection<{ _id: string }>(collection)
        .insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
    }
  }
}

function documentsOf(n: number) {
  const slugs = new Set(
    Array.from({ length: technologiesPerStore }, () => apps[Math.floor(Math.random() * apps.length)]?.slug ?? ''),
  );
  const { profile } = mergeObservation(
    null,
    seen(1, { domain: domainOf(n), name: `Store number ${n}`, technologies: [...slugs].map((slug) => tech(slug)) }),
  );
  if (!profile) throw new Error('a first observation has a profile');
  const { bytes, etag } = storeBody(profile, 'https://site.example');
  const { domain: _id, ...rest } = profile;
  const body = new Binary(bytes);
  return {
    whole: { _id, ...rest, body, etag },
    apart: { _id, body, etag, lastCompletedScanAt: profile.lastCompletedScanAt },
  };
}

/** Not in the order of insertion. */
function domainOf(n: number): string {
  return `${((n * 2_654_435_761) % 2 ** 32).toString(36)}-${n}.example`;
}

function textOf(costs: Cost[]): string {
  const median = (of: keyof Cost) => costs.map((cost) => cost[of]).sort((a, b) => a - b)[Math.floor(costs.length / 2)];
  const figure = (of: keyof Cost) => median(of)?.toFixed(2);
  return (
    `${figure('ms')} ms, CPU ms: MongoDB ${figure('serverCpuMs')}, client ${figure('ownCpuMs')}; ` +
    `read: ${figure('pagesRead')} pages, ${figure('kilobytesRead')} KB`
  );
}

function print(label: string, figures: string): void {
  process.stdout.write(`${label}: ${figures}\n`);
}
