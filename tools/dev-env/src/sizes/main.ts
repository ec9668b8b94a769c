import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startStack } from '@shopscope/local-stack';
import { MongoClient } from 'mongodb';
import { startDevEnv } from '../dev-env.ts';
import { readRetentionRows, secondsOf } from '../retention-page.ts';
import { driveTraffic } from '../traffic.ts';
import { measureCollection, measureRedis, measureTopics } from './measure.ts';
import { yearOf } from './year.ts';

/**
 * `npm run sizes [-- COUNT]`: the bytes of a document and of its index entries in every collection, of a record in every topic, and
 * of a key in Redis, as docs/disk.md has them. It starts its own servers and system, scans the demo stores, bills requests, and
 * fills each collection with COUNT (default 50,000) documents like the real ones.
 */
const load = { stores: 1e6, requests: 1e7, keyedShare: 0.1, scanDays: 7, signalsPerScan: 0.1, keys: 1_000 };
const count = Number(process.argv[2] ?? 50_000);
const stateDir = mkdtempSync(join(tmpdir(), 'sizes-'));
const root = resolve(import.meta.dirname, '../../../..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const cacheDir = process.env.SHOPSCOPE_CACHE_DIR ?? join(root, '.local/cache');
const stack = await startStack({ stateDir, cacheDir, env: process.env, report: () => {} });
try {
  Object.assign(process.env, {
    SHOPSCOPE_MONGODB_URL: stack.mongodb.url,
    SHOPSCOPE_KAFKA_BROKERS: stack.kafka.url,
    SHOPSCOPE_REDIS_URL: stack.redis.url,
  });
  const env = await startDevEnv({ label: 'sizes', dashboard: true });
  await driveTraffic(env);
  const mongo = await MongoClient.connect(stack.mongodb.url);
  const logged = () => mongo.db(env.data.databaseName('dashboard')).collection('request_batches').distinct('ids');
  const sizes: Record<string, number> = {};
  say(`| collection | document | indexes | samples |\n|---|---|---|---|`);
  for (const service of ['keys', 'profiles', 'metering', 'scan_scheduler', 'dashboard', 'subscriptions', 'webhooks']) {
    const source = mongo.db(env.data.databaseName(service));
    const scratch = mongo.db(env.data.databaseName('scratch'));
    const collections = await source.listCollections({}, { nameOnly: true }).toArray();
    for (const name of collections.map((each) => each.name).sort()) {
      const size = await measureCollection(source, scratch, name, count);
      if (!size) continue;
      sizes[`${service}.${name}`] = size.document + (size.indexes || 0);
      say(`| ${service}.${name} | ${rounded(size.document)} | ${rounded(size.indexes)} | ${size.samples} |`);
    }
  }
  say(`\n| topic | record |\n|---|---|`);
  for (const [topic, { bytes, records }] of await measureTopics(env.data)) {
    sizes[topic] = bytes / records;
    // A record has the requests of two seconds of one workspace.
    if (topic === 'requests.v1') sizes[topic] = bytes / (await logged()).length;
    say(`| ${topic} | ${rounded(sizes[topic])}${topic === 'requests.v1' ? ' a request' : ''} |`);
  }
  say(`\n| keys in Redis | key |\n|---|---|`);
  for (const [kind, bytes] of await measureRedis(env.data)) {
    sizes[kind] = bytes;
    say(`| ${kind} | ${rounded(bytes)} |`);
  }
  say(`\n| a year of ${JSON.stringify(load)} | number | GB |\n|---|---|---|`);
  for (const { name, count: number, bytes } of yearOf(load, sizes, keptDays())) {
    say(`| ${name} | ${rounded(number)} | ${(bytes / 1e9).toFixed(1)} |`);
  }
  await mongo.close();
  await env.stop();
} finally {
  await stack.stop();
  rmSync(stateDir, { recursive: true, force: true });
}

function rounded(bytes: number): string {
  return Number.isNaN(bytes) ? 'few' : Math.round(bytes).toLocaleString('en-US');
}

/** Days of each collection, topic and key space that is deleted, as docs/retention.md says. */
function keptDays(): Record<string, number> {
  const cells = [
    ...[...readRetentionRows('MongoDB')].map(([name, [, kept = '']]) => [name, kept] as const),
    ...[...readRetentionRows('Kafka')].map(([name, [, kept = '']]) => [name, kept] as const),
    ['idem', readRetentionRows('Redis').get('idem:*')?.[1] ?? ''] as const,
  ];
  return Object.fromEntries(
    cells.flatMap(([name, kept]) => {
      const seconds = secondsOf(kept);
      return seconds === undefined ? [] : [[name, seconds / 86_400]];
    }),
  );
}
