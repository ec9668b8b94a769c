import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

describe('charge of the runbooks on a local system', () => {
  const namespace = testNamespace('on-call-charge');
  const folder = mkdtempSync(join(tmpdir(), 'on-call-charge-'));
  const id = `chg_${process.pid}a`;
  let client: MongoClient;
  const ledger = () => client.db('metering').collection<{ _id: string; units: number }>('ledger');
  const charge = (command: string) =>
    new Promise<{ code: number; out: string; err: string }>((done) => {
      const env = { ...process.env, WHERE: 'local', SHOPSCOPE_LOCAL_DIR: folder };
      execFile('bash', ['-c', `. deploy/runbooks/on-call.sh; ${command}`], { cwd: root, env }, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
      );
    });

  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
    // Other ids that begin alike: a prefix without its separator would find them.
    await ledger().insertMany([`${id}/1/0`, `${id}/2/0`, `${id}b/1/0`, `${id}0/1/0`].map((_id) => ({ _id, units: 1 })));
    writeFileSync(join(folder, 'ready.json'), JSON.stringify({ stack: { mongodb: { url: namespace.mongoUrl } } }));
  });
  afterAll(async () => {
    await ledger().deleteMany({ _id: { $regex: `^${id}` } });
    await client.close();
    await namespace.cleanup();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the runbook function charge prints the ledger rows of the charge and no others', async () => {
    const { code, out, err } = await charge(`charge ${id}`);
    expect([code, err]).toEqual([0, '']);
    const { ledger: rows } = JSON.parse(out) as { ledger: { _id: string }[] };
    expect(rows.map(({ _id }) => _id)).toEqual([`${id}/1/0`, `${id}/2/0`]);
  });

  it('the runbook function charge says in one sentence that metering has no record of a charge', async () => {
    expect(await charge('charge chg_none')).toEqual({
      code: 1,
      out: '',
      err: 'metering has no record of the charge chg_none.\n',
    });
  });
});
