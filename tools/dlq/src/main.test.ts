import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dlq-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm run dlq -- …` as its bootstrap does, without the settings of this environment. */
async function dlq(args: string[], env: Record<string, string> = {}) {
  const options = ['--conditions=@shopscope/source', '--disable-warning=TimeoutNegativeWarning', script, ...args];
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, options, { env: { NODE_COMPILE_CACHE, SHOPSCOPE_LOCAL_DIR: folder, ...env } });
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

describe('npm run dlq', () => {
  it('npm run dlq reports in one sentence that no system runs, and the remedy', async () => {
    expect(await dlq(['list'])).toEqual({
      code: 1,
      out: '',
      err: `No running system is recorded in ${folder}/ready.json; start one with npm start, or set KAFKA_BROKERS.\n`,
    });
  });

  it('npm run dlq reports in one sentence that the broker of a stopped system is unreachable', async () => {
    writeFileSync(join(folder, 'ready.json'), JSON.stringify({ stack: { kafka: { brokers: '127.0.0.1:1' } } }));
    const { code, out, err } = await dlq(['list', 'usage.v1']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^Kafka at 127\.0\.0\.1:1 could not be used \(.*ECONNREFUSED.*\); start it, or correct .*\.\n$/,
    );
  });

  it('npm run dlq names the invalid setting', async () => {
    const { code, err } = await dlq(['list'], { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_TLS: 'maybe' });
    expect([code, err]).toEqual([1, expect.stringContaining('KAFKA_TLS: must be true or false')]);
    expect(err).not.toContain('    at ');
  });

  it.each(['list', 'replay'])(
    'npm run dlq reports in one sentence that the topic of %s does not exist, and lists the topics',
    async (verb) => {
      const { code, out, err } = await dlq([verb, 'nope.v1']);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^There is no topic nope\.v1; TOPIC is one of [^\n]*usage\.v1[^\n]*\.\n$/);
    },
  );

  it('npm run dlq prints its commands for --help, and with exit code 2 for an unknown command', async () => {
    expect(await dlq(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('dlq -- list'), err: '' });
    for (const args of [['erase'], ['replay'], ['list', 'usage.v1', 'more'], ['list', '--most', 'all']]) {
      expect(await dlq(args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('dlq -- list') });
    }
  });
});
