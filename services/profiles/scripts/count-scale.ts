import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { createGrpcClient } from '@shopscope/grpc';
import { connectMongo, createTransact } from '@shopscope/mongo';
import { ProfilesServiceService } from '@shopscope/proto';
import { mongoOptions, serviceEnvironment, testNamespace } from '@shopscope/testing';
import { Binary, type Db } from 'mongodb';
import { mergeObservation } from '../src/domain/merge-observation.ts';
import { storeBody } from '../src/domain/store-body.ts';
import { createTechnologyIndex } from '../src/domain/technology-index.ts';
import { loadConfig, startProfiles } from '../src/index.ts';
import { createMetrics } from '../src/metrics.ts';
import { createCorpusCounts } from '../src/operations/keep-corpus-count.ts';
import { createCorpusCountStore } from '../src/outbound/mongo/corpus-counts.ts';
import { createDomainRanges } from '../src/outbound/mongo/domain-ranges.ts';
import { seen, tech } from '../test/support/observed.ts';
import { measureLookUps } from './measure-look-ups.ts';

/**
 * Measures a count of the corpus and what look-ups notice of it, against the MongoDB of SHOPSCOPE_MONGODB_URL:
 * `node --conditions=@shopscope/source services/profiles/scripts/count-scale.ts [stores]`. The other SHOPSCOPE_* URLs must
 * be set; Kafka is not used. Results of different machines are not comparable.
 */
const count = Number(process.argv[2] ?? 100_000);
const siteUrl = 'https://site.example';
const platforms = vocabulary.filter(({ kind }) => kind === 'platform').slice(0, 40);
const apps = vocabulary.filter(({ kind }) => kind !== 'platform' && kind !== 'theme');
const appsPerStore = 12;
const domains = Array.from({ length: count }, (_, i) => `store-${i}.example`);

const namespace = testNamespace('profiles-count-scale');
const options = mongoOptions(namespace, 'profiles');
const mongo = await connectMongo(options);
try {
  await seed(mongo.db);
  const env = {
    ...serviceEnvironment(namespace, 'profiles'),
    PUBLIC_SITE_URL: siteUrl,
    KAFKA_BROKERS: '127.0.0.1:1',
  };
  const service = await startProfiles(loadConfig(env));
  const client = createGrpcClient({ definition: ProfilesServiceService, address: service.grpcAddress as string });
  try {
    while ((await client.getCorpus({})).countedAtMs === 0) await delay(200);
    const technologies = createTechnologyIndex(vocabulary, siteUrl);
    const metrics = createMetrics(options.registry);
    const instance = () =>
      createCorpusCounts({
        counts: createCorpusCountStore(mongo.db, createTransact(mongo)),
        deps: { domains: createDomainRanges(mongo.db), technologies, clock: systemClock },
        metrics,
        intervalMs: 0,
        clock: systemClock,
      });
    const counts = instance();
    const alone = await measured(() => counts.look(new AbortController().signal));
    print('a count alone', costOf(alone));

    // A steady load below what the machine can do: the next call follows after a pause.
    const load = { size: 1, concurrency: 4 };
    const paced = {
      getStores: async (request: Parameters<typeof client.getStores>[0]) => {
        await delay(5);
        return client.getStores(request);
      },
    };
    const before = await measureLookUps(paced, domains, { ...load, forMs: 10_000 });
    print('look-ups without a count', figuresOf(before));
    let counting = true;
    const run = counts.look(new AbortController().signal).finally(() => {
      counting = false;
    });
    const during = await measureLookUps(paced, domains, { ...load, forMs: 600_000, until: () => !counting });
    await run;
    print('look-ups during a count', figuresOf(during));
    const { pages } = await client.listDomainPages({});
    const [page] = pages;
    const range = { afterDomain: page?.afterDomain ?? '', throughDomain: page?.throughDomain ?? '', limit: 10_000 };
    for (const which of ['first', 'second', 'third']) {
      print(`${page?.domains} listed domains, ${which} time`, costOf(await measured(() => client.listDomains(range))));
    }
    print('an instance loads the count', costOf(await measured(() => instance().refresh())));
    const stats = await mongo.db
      .collection('corpus_counts')
      .aggregate([{ $project: { bytes: { $bsonSize: '$$ROOT' } } }])
      .toArray();
    print('the document of the count', `${stats[0]?.bytes} bytes`);
  } finally {
    client.close();
    await service.stop();
  }
} finally {
  await mongo.db.dropDatabase();
  await mongo.close();
}

/** The wall time and the CPU of the database server and of this process. */
async function measured(work: () => Promise<unknown>) {
  const serverCpu = async () => {
    const { extra_info } = await mongo.db.command({ serverStatus: 1 });
    return (Number(extra_info.user_time_us) + Number(extra_info.system_time_us)) / 1e6;
  };
  const [startedMs, own, server] = [performance.now(), process.cpuUsage(), await serverCpu()];
  await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(own);
  return { seconds, ownCpu: (user + system) / 1e6, serverCpu: (await serverCpu()) - server };
}

/** Profiles with bodies, as merges write them. Frequent technologies are much more frequent than rare ones. */
async function seed(db: Db): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(list.length * Math.random() ** 4)] as T;
  for (let start = 0; start < count; start += 1_000) {
    const documents = domains.slice(start, start + 1_000).map((domain) => {
      const platform = pick(platforms);
      const slugs = new Set(Array.from({ length: appsPerStore }, () => pick(apps).slug));
      const { profile } = mergeObservation(
        null,
        seen(1, {
          domain,
          platform: { slug: platform.slug, name: platform.name, confidence: 'high' },
          technologies: [...slugs].map((slug) => tech(slug)),
        }),
      );
      if (!profile) throw new Error('a first observation has a profile');
      const { bytes, etag } = storeBody(profile, siteUrl);
      const { domain: _id, lastCompletedScanAt, ...rest } = profile;
      return {
        store: { _id, lastCompletedScanAt, ...rest, etag },
        body: { _id, body: new Binary(bytes), etag, lastCompletedScanAt },
      };
    });
    const insert = (name: string, made: { _id: string }[]) =>
      db.collection<{ _id: string }>(name).insertMany(made, { ordered: false });
    await insert(
      'stores',
      documents.map(({ store }) => store),
    );
    await insert(
      'store_bodies',
      documents.map(({ body }) => body),
    );
  }
}

function costOf({ seconds, serverCpu, ownCpu }: Awaited<ReturnType<typeof measured>>): string {
  return `${seconds.toFixed(2)} s, CPU: MongoDB ${serverCpu.toFixed(2)} s, this process ${ownCpu.toFixed(2)} s`;
}

function figuresOf({ domainsPerSecond, p50Ms, p99Ms }: Awaited<ReturnType<typeof measureLookUps>>): string {
  return `${domainsPerSecond} per second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function print(label: string, figures: string): void {
  process.stdout.write(`${label}: ${figures}\n`);
}
