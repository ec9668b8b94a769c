import { resolve } from 'node:path';
import { unlimitedKey } from '@shopscope/local';
import { busyShare, quietShare } from './busy-share.ts';
import { measureConsume } from './consume-rows.ts';
import { loadCorpus } from './corpus.ts';
import { measureGrowth } from './growth-rows.ts';
import { measureHttp } from './http-rows.ts';
import { measureLogging } from './logging-rows.ts';
import { measurePages } from './page-rows.ts';
import { measurePublicPages } from './public-rows.ts';
import {
  reportConsume,
  reportHttp,
  reportLogging,
  reportPages,
  reportPublicPages,
  reportRequestLog,
} from './report.ts';
import { measureRequestLog } from './request-log-rows.ts';
import { benchSettings } from './settings.ts';
import { startSystem } from './system.ts';

/**
 * Measures requests and the recording of usage, next to references that do part of the same work, in alternating rounds
 * of one run on one machine. Measures the pages of the dashboard under fifty readers.
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
  const { groups } = settings;
  if (groups.includes('http')) say(`\n${reportHttp(await measureHttp(settings, system, secret, say))}\n`);
  if (groups.includes('growth')) say(`\n${reportHttp(await measureGrowth(settings, system, say))}\n`);
  if (groups.includes('consume')) say(`\n${reportConsume(await measureConsume(root, settings, system, say))}\n`);
  if (groups.includes('logging')) {
    say(`\n${reportLogging(await measureLogging(root, settings, system, secret, say))}\n`);
  }
  if (groups.includes('public')) {
    say(`\n${reportPublicPages(await measurePublicPages(settings, system, secret, say))}\n`);
  }
  if (groups.includes('request-log')) {
    say(`\n${reportRequestLog(await measureRequestLog(root, settings, system, secret, say))}\n`);
  }
  if (groups.includes('pages')) say(`\n${reportPages(await measurePages(system, settings, say))}\n`);
} finally {
  await system.stop();
}
