import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'npm-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs npm as a user does, without the variables of the npm that runs this test. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name)));

async function npm(args: string[], { cwd = root, input = '' } = {}) {
  const child = spawn('npm', ['--prefix', root, ...args], { cwd, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe('npm in this checkout', () => {
  it('npm in this checkout prints its own errors', async () => {
    const { code, err } = await npm(['run', 'no-such-script']);
    expect([code, err]).toEqual([1, expect.stringContaining('Missing script: "no-such-script"')]);
  });

  it('npm in this checkout prints only the output of the command with --silent, and returns its exit code', async () => {
    const answer = await npm(['run', '--silent', 'observe', '--', '--jsonl'], { input: 'broken\n' });
    expect(answer).toMatchObject({
      code: 1,
      out: '{"url":null,"error":{"code":"invalid_line","message":"not a line of JSON"},"line":1}\n',
    });
  });

  it('npm in this checkout resolves a file relative to the folder in which the command was typed', async () => {
    writeFileSync(join(folder, 'page.html'), '<meta property="og:site_name" content="Nordlicht"><p>Lamps and candles');
    const { code, out } = await npm(['run', '--silent', 'observe', '--', 'page.html'], { cwd: folder });
    expect([code, JSON.parse(out).name]).toEqual([0, 'Nordlicht']);
  });
});
