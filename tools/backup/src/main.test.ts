import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nightlyUnless } from '@shopscope/testing';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm run backup -- …` as its bootstrap does, without the settings of this environment. */
async function backup(args: string[]) {
  const options = ['--conditions=@shopscope/source', '--disable-warning=TimeoutNegativeWarning', script, ...args];
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, options, { env: { NODE_COMPILE_CACHE, SHOPSCOPE_LOCAL_DIR: folder } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe('npm run backup', () => {
  // Each test starts npm and a program. By day, one row of each kind stands for the others.
  for (const { verb, args, variable } of [
    { verb: 'dump', args: [join(folder, 'first')], variable: 'MONGODB_URL' },
    { verb: 'restore', args: [join(folder, 'first')], variable: 'MONGODB_URL' },
    { verb: 'key-changes', args: ['2026-11-22T04:00:00Z'], variable: 'KAFKA_BROKERS' },
  ]) {
    const title = `npm run backup reports in one sentence that no system runs, and that ${variable} selects other servers`;
    it(title, nightlyUnless(verb === 'dump'), async () => {
      expect(await backup([verb, ...args])).toEqual({
        code: 1,
        out: '',
        err: `No running system is recorded in ${folder}/ready.json; start one with npm start, or set ${variable}.\n`,
      });
    });
  }

  for (const verb of ['nightly', 'serve']) {
    const title = `npm run backup refuses ${verb} of some databases, because each dump in the folder counts as a full one`;
    it(title, nightlyUnless(verb === 'nightly'), async () => {
      const { code, err } = await backup([verb, folder, '--databases', 'webhooks']);
      expect(code).toBe(2);
      expect(err).toContain('npm run backup -- nightly FOLDER ');
    });
  }

  for (const time of ['2026-02-30', 'yesterday']) {
    const title = `npm run backup prints its usage when the time for key-changes is invalid: ${time}`;
    it(title, nightlyUnless(time === 'yesterday'), async () => {
      const { code, out, err } = await backup(['key-changes', time]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('npm run backup -- key-changes ISO8601');
    });
  }
});
