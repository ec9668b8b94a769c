import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { busyShare, quietShare } from './busy-share.ts';
import { consumeRows, growthEventRows, measureConsume } from './consume-rows.ts';
import { loadCorpus } from './corpus.ts';
import { measureHttp } from './http-rows.ts';
import { measureKeyGrowth } from './key-growth-rows.ts';
import { measureLatency } from './latency-rows.ts';
import { measureLedgerGrowth } from './ledger-growth-rows.ts';
import { measureLogging } from './logging-rows.ts';
import { measureMemory } from './memory-rows.ts';
import { measureNeighbours } from './neighbour-rows.ts';
import { measurePages } from './page-rows.ts';
import { measurePublicPages } from './public-rows.ts';
import {
  reportConsume,
  reportHttp,
  reportLatency,
  reportLogging,
  reportMemory,
  reportNeighbours,
  reportPages,
  reportPublicPages,
  reportRequestLog,
  reportScans,
  reportSignals,
} from './report.ts';
import { measureRequestLog } from './request-log-rows.ts';
import { measureScans } from './scan-rows.ts';
import { benchSettings, type RowGroup } from './settings.ts';
import { measureSignals } from './signal-growth-rows.ts';
import { measureStoreGrowth } from './store-growth-rows.ts';
import { startSystem } from './system.ts';
import { measureWorkspaceGrowth } from './workspace-growth-rows.ts';

/**
 * Measures requests and the recording of usage, next to references that do part of the same work, in alternating rounds
 * of one run on one machine. Measures the pages of the dashboard under fifty readers, the scans of one scanner, and how figures change with size.
 *
 * - The results of requests and usage are the ratios. Absolute numbers depend on the machine and the time.
 * - CPU per request is least affected by noise. It excludes the load generator.
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
  const measured: Record<RowGroup, () => Promise<string>> = {
    http: async () => reportHttp(await measureHttp(settings, system, secret, say)),
    consume: async () => reportConsume(await measureConsume(root, settings, system, consumeRows, say)),
    logging: async () => reportLogging(await measureLogging(root, settings, system, secret, say)),
    'request-log': async () => reportRequestLog(await measureRequestLog(root, settings, system, secret, say)),
    public: async () => reportPublicPages(await measurePublicPages(settings, system, secret, say)),
    pages: async () => reportPages(await measurePages(system, settings, say)),
    neighbours: async () => reportNeighbours(await measureNeighbours(system, settings, say)),
    scans: async () => reportScans(await measureScans(root, settings, system, say)),
    'growth-memory': async () => reportMemory(await measureMemory(settings, system, say)),
    'growth-workspaces': async () => reportHttp(await measureWorkspaceGrowth(settings, system, say)),
    'growth-keys': async () => reportHttp(await measureKeyGrowth(settings, system, say)),
    'growth-events': async () => reportConsume(await measureConsume(root, settings, system, growthEventRows, say)),
    'growth-ledger': async () => reportConsume(await measureLedgerGrowth(root, settings, system, say)),
    'growth-latency': async () => reportLatency(await measureLatency(settings, system, say)),
    'growth-stores': async () => reportHttp(await measureStoreGrowth(settings, system, secret, say)),
    'growth-signals': async () => reportSignals(await measureSignals(settings, system, secret, say)),
  };
  for (const group of settings.groups) say(`\n${group}\n\n${await measured[group]()}\n`);
} finally {
  await system.stop();
}
