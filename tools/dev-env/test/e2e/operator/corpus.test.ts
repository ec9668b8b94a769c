import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGrpcClient } from '@shopscope/grpc';
import { publicKeyEntry } from '@shopscope/ids';
import { migrate, type RunningService, readMigrationSettings } from '@shopscope/lifecycle';
import { loadConfig, migration, startProfiles } from '@shopscope/profiles';
import { ProfilesServiceService } from '@shopscope/proto';
import { serviceEnvironment, silentTelemetry, type TestNamespace, testNamespace, waitUntil } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin, startAdmin } from './command.ts';

/** The real program and the real profiles service. Each system has a corpus of its own. */
interface System {
  db: Db;
  variables: Record<string, string>;
}

let folder: string;
let mongo: MongoClient;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  mongo = await MongoClient.connect(process.env.SHOPSCOPE_MONGODB_URL ?? '');
});
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await mongo?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startSystem(label: string, over: Record<string, string> = {}): Promise<System> {
  const namespace: TestNamespace = testNamespace(`corpus-${label}`);
  cleanups.push(() => namespace.cleanup());
  const env = { ...serviceEnvironment(namespace, 'profiles'), PUBLIC_SITE_URL: 'http://shopscope.test', ...over };
  await migrate(migration, readMigrationSettings(migration, env), {
    service: 'profiles',
    logger: silentTelemetry().logger,
  });
  const service: RunningService = await startProfiles(loadConfig(env));
  cleanups.push(() => service.stop());
  const db = mongo.db(namespace.databaseName('profiles'));
  return { db, variables: { PROFILES_ADDRESS: service.grpcAddress ?? '' } };
}

const admin = ({ variables }: System, ...args: string[]) => runAdmin(['corpus', ...args], variables);
const storesOf = ({ db }: System) => db.collection('stores').countDocuments();
const pathOf = (name: string) => join(folder, `${name}.ndjson`);
const read = (name: string) => readFileSync(pathOf(name), 'utf8');
const write = (name: string, lines: readonly object[]) =>
  writeFileSync(pathOf(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function exported(system: System, name: string): Promise<string> {
  expect(await admin(system, 'export', pathOf(name))).toMatchObject({ code: 0, stderr: '' });
  return read(name);
}

/**
 * Returns the data that look-ups, histories and counts read. `recordedAt` is left out, because it is the time of the
 * merge.
 */
async function contentOf({ db }: System) {
  const all = (collection: string) =>
    db
      .collection(collection)
      .find({}, { projection: { recordedAt: 0 } })
      .sort({ _id: 1 })
      .toArray();
  return { stores: await all('stores'), signals: await all('signals') };
}

const app = (slug: string) => ({ slug, sources: ['home'] });
const seen = (sequence: number, over: object = {}) => ({
  sequence,
  completed_at: new Date(Date.UTC(2026, 0, sequence)).toISOString(),
  outcome: 'observed',
  status: 'active_storefront',
  name: 'Shop',
  platform: { slug: 'shopify' },
  sources_read: ['home'],
  ...over,
});
const store = (domain: string, ...observations: object[]) => ({ domain, observations });
const plain = (count: number) => Array.from({ length: count }, (_, n) => store(`shop-${1_000 + n}.example`, seen(1)));

/** A store with confirmed, open and discarded changes, and one that did not answer at first. */
const eventful = [
  store(
    'moved.example',
    seen(1, { technologies: [app('klaviyo'), app('hotjar')], geography: { country: 'DE', basis: 'observed' } }),
    seen(2, { technologies: [app('klaviyo')], platform: { slug: 'wix' } }),
    { sequence: 4, completed_at: '2026-01-04T00:00:00Z', outcome: 'unreachable', reason: 'timeout' },
    seen(5, { technologies: [app('klaviyo')], platform: { slug: 'wix' }, name: 'Größe\u2028"' }),
    seen(6, { technologies: [], platform: { slug: 'wix' } }),
  ),
  store(
    'late.example',
    { sequence: 1, completed_at: '2026-01-01T00:00:00Z', outcome: 'refused', reason: 'robots_disallowed' },
    seen(2, {
      catalog: {
        coverage: 'full',
        product_count: 3,
        currency: 'EUR',
        price_range: { median: 9.99, p25: 0.1, p75: 1e3 },
      },
    }),
  ),
];

describe('corpus commands', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem('first');
  });

  it('an exported corpus that is imported into an empty system gives the same bytes, profiles and signals', async () => {
    write('eventful', [...eventful, ...plain(20)].reverse());
    expect(await admin(system, 'import', pathOf('eventful'))).toMatchObject({ code: 0 });
    // It comes too late to have an effect, so it must have none in the other system.
    write('late', [store('moved.example', seen(3, { name: 'Late', technologies: [app('stripe')] }))]);
    expect(await admin(system, 'import', pathOf('late'))).toMatchObject({ code: 0 });
    const first = await exported(system, 'exported');
    const domains = first.split('\n', 22).map((line) => JSON.parse(line).domain);
    expect(domains).toEqual([...domains].sort());

    const other = await startSystem('second');
    expect(await admin(other, 'import', pathOf('exported'))).toMatchObject({ code: 0 });
    expect(await exported(other, 'exported-again')).toBe(first);
    const content = await contentOf(other);
    expect(content).toEqual(await contentOf(system));
    expect(content.signals.map(({ type, state }) => `${type} ${state}`).sort()).toEqual([
      'platform_changed confirmed',
      'status_changed discarded',
      'technology_removed candidate',
      'technology_removed confirmed',
    ]);
  });

  it('corpus import merges an observation only once, and leaves a store with a later observation as it is', async () => {
    write('twice', [store('twice.example', seen(1), seen(3, { name: 'Newer' }))]);
    const json = async (name: string) =>
      JSON.parse((await admin(system, 'import', pathOf(name), '--json')).stdout).observations;
    expect(await json('twice')).toEqual({ merged: 2, duplicates: 0, superseded: 0, rejected: 0 });
    const before = await system.db.collection('stores').findOne({ _id: 'twice.example' as never });
    expect(await json('twice')).toEqual({ merged: 0, duplicates: 2, superseded: 0, rejected: 0 });
    write('older', [store('twice.example', seen(2, { name: 'Older' }))]);
    expect(await json('older')).toEqual({ merged: 0, duplicates: 0, superseded: 1, rejected: 0 });
    expect(await system.db.collection('stores').findOne({ _id: 'twice.example' as never })).toEqual(before);
  });

  // By day, the test above shows that a repeated import merges nothing twice.
  it('a corpus import that Ctrl-C interrupts and SIGKILL ends continues and ends like one import', {
    tags: ['nightly'],
  }, async () => {
    const target = await startSystem('resumed');
    const count = 4_000;
    write('many', plain(count));
    const startImport = () => startAdmin(['corpus', 'import', pathOf('many')], target.variables);
    const ended = (child: ReturnType<typeof startAdmin>) =>
      new Promise<number | string | null>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    const above = (stores: number) =>
      waitUntil(`more than ${stores} stores`, async () => (await storesOf(target)) > stores);

    const first = startImport();
    let told = '';
    first.stderr.on('data', (chunk) => {
      told += chunk;
    });
    await above(0);
    first.kill('SIGINT');
    first.kill('SIGINT');
    expect(await ended(first)).toBe(130);
    expect(told).toContain('Interrupted. To continue, run the same command again.');
    const afterFirst = await storesOf(target);
    expect(afterFirst).toBeLessThan(count);

    const second = startImport();
    await above(afterFirst);
    second.kill('SIGKILL');
    expect(await ended(second)).toBe('SIGKILL');
    expect(await storesOf(target)).toBeLessThan(count);

    const { code, stdout } = await admin(target, 'import', pathOf('many'), '--json');
    const { stores, observations } = JSON.parse(stdout);
    expect({ code, stores }).toEqual({ code: 0, stores: count });
    expect(observations.duplicates).toBeGreaterThanOrEqual(afterFirst);
    expect(observations.merged + observations.duplicates).toBe(count);
    const lines = (await exported(target, 'resumed')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).domain)).toEqual(plain(count).map(({ domain }) => domain));
    expect(await target.db.collection('observations').countDocuments()).toBe(count);
  });

  it('corpus import ends at the first invalid line and names its field, and everything before it is imported', async () => {
    const [good, later] = [store('good.example', seen(1)), store('later.example', seen(1))];
    write('invalid', [good, store('bad.example', seen(1, { status: 'open' })), later]);
    const found = (domain: string) => system.db.collection('stores').countDocuments({ _id: domain as never });
    const stopped = await admin(system, 'import', pathOf('invalid'));
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toMatch(/line 2: observations\[0\]\.status: .*\nStores before it that are imported: 1/);
    expect([await found('good.example'), await found('later.example')]).toEqual([1, 0]);

    const skipped = await admin(system, 'import', pathOf('invalid'), '--skip-invalid', '--json');
    expect(skipped).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2: observations[0].status') });
    expect(JSON.parse(skipped.stdout)).toMatchObject({ stores: 2, invalid_lines: 1 });
    expect([await found('bad.example'), await found('later.example')]).toEqual([0, 1]);
  });

  it('corpus commands are refused in production unless they name it, and everywhere if they name another environment', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const production = await startSystem('production', {
      SHOPSCOPE_ENV: 'production',
      KAFKA_REPLICATION_FACTOR: '1',
      DRAIN_DELAY_MS: '0',
      PERMIT_PUBLIC_KEYS: publicKeyEntry('scan-scheduler', { id: '1', privateKey }),
    });
    write('one', [store('one.example', seen(1))]);
    const attempt = async (target: System, ...args: string[]) => {
      const { code, stderr } = await admin(target, ...args);
      return { code, refused: stderr.startsWith('Refused: this system is ') };
    };
    const [refused, allowed] = [
      { code: 1, refused: true },
      { code: 0, refused: false },
    ];
    expect(await attempt(production, 'import', pathOf('one'))).toEqual(refused);
    expect(await attempt(production, 'export', pathOf('none'))).toEqual(refused);
    expect(await attempt(production, 'import', pathOf('one'), '--allow-environment', 'test')).toEqual(refused);
    expect(await attempt(system, 'import', pathOf('one'), '--allow-environment', 'production')).toEqual(refused);
    expect(await storesOf(production)).toBe(0);
    const address = production.variables.PROFILES_ADDRESS ?? '';
    const client = createGrpcClient({ definition: ProfilesServiceService, address });
    cleanups.push(async () => client.close());
    const page = { afterDomain: '', afterSequence: 0, environment: '' };
    await expect(client.exportObservations(page)).rejects.toThrow('this system is production');
    expect(() => read('none')).toThrow('ENOENT');
    expect(await attempt(production, 'import', pathOf('one'), '--allow-environment', 'production')).toEqual(allowed);
    expect(await attempt(system, 'import', pathOf('one'), '--allow-environment', 'test')).toEqual(allowed);
    expect(await storesOf(production)).toBe(1);
  });

  it('corpus export never replaces a file', async () => {
    writeFileSync(pathOf('precious'), 'precious');
    expect(await admin(system, 'export', pathOf('precious'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
    expect(read('precious')).toBe('precious');
  });
});
