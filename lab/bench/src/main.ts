import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { measureBesideDocuments } from './beside-documents-rows.ts';
import { busyShare, quietShare } from './busy-share.ts';
import { consumeRows, growthEventRows, measureConsume } from './consume-rows.ts';
import { loadCorpus } from './corpus.ts';
import { measureDocuments } from './document-rows.ts';
import { measureFanOut } from './fan-out-rows.ts';
import { measureHttp } from './http-rows.ts';
import { measureJobs } from './job-rows.ts';
import { measureKeyGrowth } from './key-growth-rows.ts';
import { measureLatency } from './latency-rows.ts';
import { measureLedgerGrowth } from './ledger-growth-rows.ts';
import { measureListGrowth } from './list-growth-rows.ts';
import { measureLogging } from './logging-rows.ts';
import { measureMemory } from './memory-rows.ts';
import { measureNeighbours } from './neighbour-rows.ts';
import { measurePages } from './page-rows.ts';
import { measurePublicPages } from './public-rows.ts';
import {
  reportBesideDocuments,
  reportConsume,
  reportDocuments,
  reportFanOut,
  reportHttp,
  reportJobs,
  reportLatency,
  reportListGrowth,
  reportLogging,
  reportMemory,
  reportNeighbours,
  reportPages,
  reportPublicPages,
  reportRequestLog,
  reportScans,
  reportSignals,
  reportWebhooks,
} from './report.ts';
import { measureRequestLog } from './request-log-rows.ts';
import { measureScans } from './scan-rows.ts';
import { measureSearch } from './search-rows.ts';
import { benchSettings, type RowGroup } from './settings.ts';
import { measureSignals } from './signal-growth-rows.ts';
import { measureStoreGrowth } from './store-growth-rows.ts';
import { type Bench, startSystem } from './system.ts';
import { measureWebhooks } from './webhook-rows.ts';
import { measureWorkspaceGrowth } from './workspace-growth-rows.ts';

/**
 * Measures requests and the recording of usage beside references that do a part of the same work. Rows take turns in rounds of one run on
 * one machine. It also measures the pages of the dashboard with fifty readers, the scans of one scanner, and how figures change with size.
 *
 * - Only ratios can be compared. Absolute numbers depend on the machine and the time.
 * - CPU time per request is least affected by other programs. It excludes the load generator.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const root = resolve(import.meta.dirname, '../../..');
const settings = benchSettings(process.env, process.argv.slice(2));

const busy = await busyShare();
say(`Before the start, other programs use ${Math.round(busy * 100)} % of the processors.`);
if (busy > quietShare) say('The machine is not quiet: compare only rows of the same round.');
say('Starting the system …');
const system = await startSystem(settings, root);
try {
  const secret = await unlimitedKey(system.keysAddress, 'bench');
  say(`Loading ${settings.stores} stores …`);
  await loadCorpus(system, settings.stores, say);
  const bench: Bench = { root, settings, system, secret, say };
  const measured: Record<RowGroup, () => Promise<string>> = {
    http: async () => reportHttp(await measureHttp(bench)),
    documents: async () => reportDocuments(await measureDocuments(bench)),
    'beside-documents': async () => reportBesideDocuments(await measureBesideDocuments(bench)),
    consume: async () => reportConsume(await measureConsume(bench, consumeRows)),
    logging: async () => reportLogging(await measureLogging(bench)),
    'request-log': async () => reportRequestLog(await measureRequestLog(bench)),
    public: async () => reportPublicPages(await measurePublicPages(bench)),
    pages: async () => reportPages(await measurePages(bench)),
    neighbours: async () => reportNeighbours(await measureNeighbours(bench)),
    scans: async () => reportScans(await measureScans(bench)),
    'fan-out': async () => reportFanOut(await measureFanOut(bench)),
    jobs: async () => reportJobs(await measureJobs(bench)),
    webhooks: async () => reportWebhooks(await measureWebhooks(bench)),
    search: () => measureSearch(bench),
    'growth-memory': async () => reportMemory(await measureMemory(bench)),
    'growth-workspaces': async () => reportHttp(await measureWorkspaceGrowth(bench)),
    'growth-keys': async () => reportHttp(await measureKeyGrowth(bench)),
    'growth-events': async () => reportConsume(await measureConsume(bench, growthEventRows)),
    'growth-ledger': async () => reportConsume(await measureLedgerGrowth(bench)),
    'growth-latency': async () => reportLatency(await measureLatency(bench)),
    'growth-stores': async () => reportHttp(await measureStoreGrowth(bench)),
    'growth-signals': async () => reportSignals(await measureSignals(bench)),
    'growth-lists': async () => reportListGrowth(await measureListGrowth(bench)),
  };
  for (const group of settings.groups) say(`\n${group}\n\n${await measured[group]()}\n`);
} finally {
  await system.stop();
}
