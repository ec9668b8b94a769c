import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { compileCache } from '@shopscope/local-stack';
import { serviceEnvironment, testNamespace, waitUntil } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = join(import.meta.dirname, '../../../../../services/keys/src/main.ts');
const collection = 'audit_entries';
const index = 'workspaceId_1__id_-1';

/** The keys service as a process in production. Its servers are on loopback, so it needs neither TLS nor credentials. */
describe('--migrate of a service in production', () => {
  const namespace = testNamespace('migration');
  let mongo: MongoClient;
  let db: Db;
  beforeAll(async () => {
    mongo = await MongoClient.connect(namespace.mongoUrl);
    db = mongo.db(namespace.databaseName('keys'));
  });
  afterAll(async () => {
    await mongo.close();
    await namespace.cleanup();
  });

  const dataServers = { ...serviceEnvironment(namespace, 'keys'), SHOPSCOPE_ENV: 'production', LOG_LEVEL: 'info' };
  const pepper = { KEY_PEPPER: randomBytes(20).toString('hex') };
  function run(env: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, ['--conditions=@shopscope/source', main, ...args], {
      env: { ...compileCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said.text += chunk));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text: said.text }));
    return { child, said, ended };
  }
  const start = () => run({ ...dataServers, ...pepper });

  it('a service without its schema exits with 78 and one sentence, two migrations at once make it, and the service then starts', async () => {
    const refused = await start().ended;
    expect(refused.code).toBe(78);
    expect(refused.text).toContain(`collection keys is missing (and `);
    expect(refused.text).toContain('run this version with --migrate first.');
    expect(refused.text).not.toContain('    at ');

    // The migration needs no pepper.
    for (const { code, text } of await Promise.all([1, 2].map(() => run(dataServers, '--migrate').ended))) {
      expect([code, text]).toEqual([0, expect.stringMatching(/"done":(\d+),"total":\1\b/)]);
    }
    const { child, said, ended } = start();
    await waitUntil('keys to start', () => said.text.includes('"started"'), { timeoutMs: 60_000 });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('a service whose index has other options exits with 78, and so does the migration, with the way out', async () => {
    await db.collection(collection).dropIndex(index);
    await db.collection(collection).createIndex({ workspaceId: 1, _id: -1 }, { sparse: true });
    const sentence = `index ${index} of collection ${collection} has other options`;
    expect(await start().ended).toMatchObject({ code: 78, text: expect.stringContaining(sentence) });
    const migrated = await run(dataServers, '--migrate').ended;
    expect(migrated).toMatchObject({ code: 78, text: expect.stringContaining(`${sentence}; drop it when`) });
  });

  it('a migration with invalid settings exits with 78 and names them', async () => {
    const { code, text } = await run({ ...dataServers, KAFKA_BROKERS: '', MONGODB_POOL_SIZE: 'many' }, '--migrate')
      .ended;
    expect([code, text]).toEqual([78, expect.stringMatching(/KAFKA_BROKERS: is required\n {2}MONGODB_POOL_SIZE/)]);
  });
});
