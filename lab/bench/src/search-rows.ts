import { MongoClient } from 'mongodb';
import { cpuTimes } from './cpu.ts';
import { withMongoCache } from './mongo-cache.ts';
import { requireSameDocuments } from './observed-stores.ts';
import { createSearchCalls, type SearchCalls } from './search-calls.ts';
import { measureCosts } from './search-cost-rows.ts';
import {
  type FilledStores,
  indexBytes,
  type RefillResult,
  refill,
  servingIndex,
  waitForEdition,
} from './search-index.ts';
import { measureMergeDelays, measureWalks } from './search-merge-rows.ts';
import { measureQueries, measureSearchMemory } from './search-query-rows.ts';
import {
  reportCosts,
  reportMerges,
  reportQueries,
  reportRefill,
  reportSearchMemory,
  reportWalks,
} from './search-report.ts';
import { fillStoreCorpus } from './store-corpus.ts';
import type { Bench } from './system.ts';

const fillCacheMegabytes = 2_048;

/**
 * Measures the service search over generated stores, which stay for the next run. The other stores of the system are in the index, too. Each
 * part is printed when it is measured, because a run over millions of stores takes long.
 */
export async function measureSearch(bench: Bench): Promise<string> {
  const { settings, system, say } = bench;
  const sections: string[] = [];
  const show = (section: string) => {
    sections.push(section);
    say(`\n${section}\n`);
  };
  const corpus = await fill(bench);
  const calls = createSearchCalls(system.addresses.SEARCH_ADDRESS, 'ws_bench');
  try {
    show(reportRefill(await measureRefill(bench, calls, corpus)));
    show(reportQueries(await measureQueries(bench, calls, corpus)));
    show(reportSearchMemory(await measureSearchMemory(bench, calls, corpus)));
    show(reportCosts(await measureCosts(bench, calls, corpus)));
    show(reportMerges(await measureMergeDelays(bench, corpus, settings.searchMergeSeconds)));
    show(reportWalks(await measureWalks(bench, calls, corpus)));
    return sections.join('\n\n');
  } finally {
    calls.close();
  }
}

async function measureRefill(bench: Bench, calls: SearchCalls, corpus: FilledStores): Promise<RefillResult> {
  const { system, say } = bench;
  say('Filling a new index …');
  const { edition: before } = await calls.count({}).catch(() => ({ edition: undefined }));
  const cpuBefore = cpuTimes(system.pids);
  const { seconds } = await refill(bench, corpus.stores);
  const cpuUs = differences(cpuBefore, cpuTimes(system.pids));
  const edition = await waitForEdition(calls, corpus.stores, before?.id);
  const bytes = await indexBytes(system, await servingIndex(system));
  return { corpus, refilled: { stores: edition.stores, seconds, cpuUs }, bytes };
}

/** Compares the documents of some stores with those of merged ones, and writes the stores that are missing. */
async function fill(bench: Bench): Promise<FilledStores> {
  const { settings, system, say } = bench;
  const mongo = await new MongoClient(system.mongoUrl, { serverMonitoringMode: 'poll' }).connect();
  const wanted = { stores: settings.searchStores, nowMs: Date.now() };
  try {
    const databases = { db: mongo.db('profiles'), benchDb: mongo.db('bench'), siteUrl: system.dashboard.url };
    const compared = Math.min(settings.searchObservedStores, wanted.stores);
    say(`Comparing ${compared} written stores with merged ones …`);
    await requireSameDocuments(bench, compared, wanted.nowMs);
    say(`Writing ${wanted.stores} stores …`);
    return await withMongoCache(mongo, fillCacheMegabytes, async () => {
      const corpus = await fillStoreCorpus(databases, wanted, say);
      // Otherwise MongoDB writes them to disk during the measurement.
      await mongo.db('admin').command({ fsync: 1 });
      return { ...corpus, compared };
    });
  } finally {
    await mongo.close();
  }
}

const differences = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, us]) => [name, us - (before[name] ?? 0)]));
