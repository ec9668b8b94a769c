import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startStack } from '@shopscope/local-stack';
import { type Collection, MongoClient } from 'mongodb';
import { type DevEnv, startDevEnv } from '../dev-env.ts';
import { copyDocument } from '../sizes/copy-document.ts';

/**
 * `npm run time:restore [-- STORES ENTRIES]`: the time and memory of a dump and of a restore of 100,000 stores and 1,000,000 ledger
 * entries, as docs/backup.md has them. The documents are like those of a system that scanned the demo stores and billed requests.
 */
const [stores = 100_000, entries = 1_000_000] = process.argv.slice(2).map(Number);
const filled = [
  { service: 'profiles', collection: 'stores', count: stores },
  { service: 'profiles', collection: 'store_bodies', count: stores },
  { service: 'scan_scheduler', collection: 'scan_targets', count: stores },
  { service: 'metering', collection: 'ledger', count: entries },
];
const insertsPerBatch = 1_000;
/** Demo stores whose documents are copied. */
const maxSamples = 20;

const folder = mkdtempSync(join(tmpdir(), 'restore-time-'));
const root = resolve(import.meta.dirname, '../../../..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const cacheDir = process.env.SHOPSCOPE_CACHE_DIR ?? join(root, '.local/cache');
const stack = await startStack({ stateDir: join(folder, 'stack'), cacheDir, env: process.env, report: () => {} });
try {
  Object.assign(process.env, {
    SHOPSCOPE_MONGODB_URL: stack.mongodb.url,
    SHOPSCOPE_KAFKA_BROKERS: stack.kafka.url,
    SHOPSCOPE_REDIS_URL: stack.redis.url,
  });
  const env = await startDevEnv({ label: 'restore-time' });
  await useSystem(env);
  for (const service of env.services) await service.stop();
  const mongo = await MongoClient.connect(stack.mongodb.url);
  const names = ['profiles', 'scan_scheduler', 'metering'].map((service) => env.data.databaseName(service));
  for (const { service, collection, count } of filled) {
    await fill(mongo.db(env.data.databaseName(service)).collection(collection), count);
    say(`${service}.${collection} has ${count} documents`);
  }
  const bytes = await Promise.all(names.map(async (name) => (await mongo.db(name).stats()).dataSize as number));
  say(`${Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1e6)} MB of documents`);
  await measured('dump', names);
  for (const name of names) await mongo.db(name).dropDatabase({ writeConcern: { w: 'majority' } });
  await measured('restore', names);
  await mongo.close();
  await env.stop();
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Scans some demo stores, and bills a look-up of each. */
async function useSystem(env: DevEnv): Promise<void> {
  const { secret } = await env.createWorkspace();
  const domains = env.demoStores.domains.slice(0, maxSamples).map(({ domain }) => domain);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(env.apiUrls[0] + path, { ...init, headers });
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
    await response.arrayBuffer();
  };
  await ask('/v1/stores/enrich', { method: 'POST', body: JSON.stringify({ domains, refresh: true }) });
  await env.settle();
  for (const domain of domains) await ask(`/v1/stores/${domain}`);
  await env.settle();
}

async function fill(collection: Collection, count: number): Promise<void> {
  const samples = await collection.find().limit(500).toArray();
  for (let made = samples.length; made < count; made += insertsPerBatch) {
    const copies = Array.from({ length: Math.min(insertsPerBatch, count - made) }, (_, n) =>
      copyDocument(samples[(made + n) % samples.length] ?? {}),
    );
    await collection.insertMany(copies, { ordered: false });
  }
}

async function measured(verb: 'dump' | 'restore', names: readonly string[]): Promise<void> {
  const printMemory = 'console.error(Math.round(process.resourceUsage().maxRSS / 1e3), "MB of memory")';
  const memory = `data:text/javascript,process.on("exit", () => ${printMemory})`;
  const script = join(root, 'tools/backup/src/main.ts');
  const args = ['--conditions=@shopscope/source', '--import', memory, script, verb, join(folder, 'dump')];
  const startMs = performance.now();
  const child = spawn(process.execPath, [...args, '--databases', names.join(',')], {
    env: { ...process.env, MONGODB_URL: stack.mongodb.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${verb} exited with ${code}`);
  say(`${verb}: ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
}
