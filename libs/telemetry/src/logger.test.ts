import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from './index.ts';

/** Runs `script` in a process of its own, with a `logger` on its standard output, a pipe that the test holds. */
function startLogging(script: string, before = '') {
  const setUp = `
    ${before}
    const { countDroppedLines, createLogger, createRegistry } = await import('${new URL('index.ts', import.meta.url)}');
    const logger = createLogger({ service: 'test', instance: 'one', level: 'info' });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', setUp + script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** The first lines of what a process writes; waits for as many. */
async function firstLines(count: number, input: NodeJS.ReadableStream): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input })) if (lines.push(line) === count) break;
  return lines;
}

const messagesOf = (lines: string[]) => lines.map((line) => JSON.parse(line).msg);

/** No timer can fire and no callback can run any more: only what was handed to the kernel before gets out. */
const standStill = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
const idle = 'setTimeout(() => {}, 1_000_000);';

describe('the logger on standard output', () => {
  it('writes a line at info within its flush interval, so that a kill after that does not lose it', async () => {
    const { stdout } = startLogging(`logger.info({ requestId: 'req_1' }, 'one short line'); ${idle}`);
    const [line = ''] = await firstLines(1, stdout);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      service: 'test',
      requestId: 'req_1',
      msg: 'one short line',
    });
  });

  it.each(['warn', 'error', 'fatal'])('writes a line at %s at once, with what was logged before it', async (level) => {
    const { stdout } = startLogging(`logger.info('before'); logger.${level}('trouble'); ${standStill}`);
    expect(messagesOf(await firstLines(2, stdout))).toEqual(['before', 'trouble']);
  });

  it('writes a line at warn that comes during a write right after that write', async () => {
    // Without the flush interval, which would write the line as well.
    const { stdout } = startLogging(
      `logger.info('x'.repeat(5_000)); logger.warn('during the write'); ${idle}`,
      'globalThis.setInterval = () => ({ unref() {} });',
    );
    expect(messagesOf(await firstLines(2, stdout))[1]).toBe('during the write');
  });

  it('drops and counts lines while standard output is blocked, instead of keeping them all in memory', async () => {
    const { stderr } = startLogging(`
      const registry = createRegistry({ service: 'test' });
      countDroppedLines(logger, registry);
      const kibibyte = 'x'.repeat(1_024);
      for (let line = 0; line < 16 * 1_024; line++) logger.info(kibibyte);
      console.error(await registry.getSingleMetricAsString('log_lines_dropped_total'));
      ${idle}
    `);
    const [, , metric = ''] = await firstLines(3, stderr);
    // Half of the sixteen mebibytes fit, a little less for what stands around each text.
    const dropped = Number(metric.split(' ').at(-1));
    expect(dropped).toBeGreaterThan(8 * 1_024);
    expect(dropped).toBeLessThan(10 * 1_024);
  });
});

describe('any logger', () => {
  it('drops members that may hold a secret, and the commands of Redis errors', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', instance: 'one', level: 'info', destination });
    const cause = Object.assign(new Error('refused'), { command: { name: 'auth', args: ['hunter2'] } });
    const err = new Error('no connection', { cause });
    logger.info({ password: 'hunter2', headers: { authorization: 'Bearer hunter2' }, err }, 'connected');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('hunter2');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      err: { message: 'no connection', cause: { message: 'refused' } },
    });
  });
});
