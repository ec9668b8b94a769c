import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
/** The environment without the variables that the npm of this test run has set. */
const outside = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|MONGODB_)/i.test(name));

describe('npm run backup', () => {
  const namespace = testNamespace('backup-command');
  const database = namespace.databaseName('accounts');
  const folder = mkdtempSync(join(tmpdir(), 'backup-command-'));
  let client: MongoClient;

  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
    await client.db(database).collection('accounts').insertOne({ units: 10 });
    mkdirSync(join(folder, 'local'));
    const ready = { stack: { mongodb: { url: namespace.mongoUrl }, kafka: { brokers: '127.0.0.1:1' } } };
    writeFileSync(join(folder, 'local/ready.json'), JSON.stringify(ready));
    mkdirSync(join(folder, 'current-folder'));
  });
  afterAll(async () => {
    await client?.close();
    await namespace.cleanup();
    rmSync(folder, { recursive: true, force: true });
  });

  it('npm run backup resolves a relative DIRECTORY against the folder of its caller and finds the system of the checkout', async () => {
    const args = ['--prefix', root, 'run', '--silent', 'backup', '--', 'dump', 'first', '--databases', database];
    const env = { ...Object.fromEntries(outside), SHOPSCOPE_LOCAL_DIR: relative(root, join(folder, 'local')) };
    const { stdout } = await promisify(execFile)('npm', args, { cwd: join(folder, 'current-folder'), env });
    expect(stdout).toMatch(/^dumped as of /m);
    expect(existsSync(join(folder, 'current-folder/first/manifest.json'))).toBe(true);
  });

  it('npm run backup raises the sequences above all that were given out, however often it runs', async () => {
    const floors: number[] = [];
    for (let run = 0; run < 2; run++) {
      const args = ['--prefix', root, 'run', '--silent', 'backup', '--', 'raise-sequences', '--databases', database];
      const env = { ...Object.fromEntries(outside), SHOPSCOPE_LOCAL_DIR: relative(root, join(folder, 'local')) };
      const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, env });
      floors.push(Number(/^every later sequence in .* is above (\d+)$/m.exec(stdout)?.[1]));
    }
    const [first = 0, second = 0] = floors;
    expect(second).toBeGreaterThan(first);
    expect(Number.isSafeInteger(second)).toBe(true);
    const kept = await client
      .db(database)
      .collection<{ _id: number }>('sequence_floors')
      .find()
      .sort({ _id: 1 })
      .toArray();
    expect(kept).toEqual([{ _id: first }, { _id: second }]);
  });
});
