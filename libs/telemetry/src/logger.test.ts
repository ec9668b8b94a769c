import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger, type Logger } from './index.ts';

/** Runs `script` in a child process with a `logger`. Its standard output is a pipe to the test. */
function startLogging(script: string, before = '') {
  const setUp = `
    ${before}
    const { countDroppedLines, createLogger, createRegistry } = await import('${new URL('index.ts', import.meta.url)}');
    const logger = createLogger({ service: 'test', instance: 'one', level: 'info' });
  `;
  const options = ['--conditions=@shopscope/source', '--input-type=module', '--eval', setUp + script];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Waits for the first `count` lines of a stream and returns them. */
async function firstLines(count: number, input: NodeJS.ReadableStream): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input })) if (lines.push(line) === count) break;
  return lines;
}

const messagesOf = (lines: string[]) => lines.map((line) => JSON.parse(line).msg);

/** Blocks the event loop for ever: no timer and no callback runs after it. */
const blockEventLoop = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
const idle = 'setTimeout(() => {}, 1_000_000);';

describe('logger on standard output', () => {
  it('the logger on standard output writes a line at info within its flush interval, so that a later kill does not lose it', async () => {
    const { stdout } = startLogging(`logger.info({ requestId: 'req_1' }, 'one short line'); ${idle}`);
    const [line = ''] = await firstLines(1, stdout);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      service: 'test',
      requestId: 'req_1',
      msg: 'one short line',
    });
  });

  it.each(['warn', 'error', 'fatal'])(
    'the logger on standard output writes a line at %s at once, together with the lines before it',
    async (level) => {
      const { stdout } = startLogging(`logger.info('before'); logger.${level}('trouble'); ${blockEventLoop}`);
      expect(messagesOf(await firstLines(2, stdout))).toEqual(['before', 'trouble']);
    },
  );

  it('the logger on standard output writes a line at warn that is logged during a write directly after that write', async () => {
    // The flush interval is disabled, because it would write the line too.
    const { stdout } = startLogging(
      `logger.info('x'.repeat(5_000)); logger.warn('during the write'); ${idle}`,
      'globalThis.setInterval = () => ({ unref() {} });',
    );
    expect(messagesOf(await firstLines(2, stdout))[1]).toBe('during the write');
  });

  it('the logger on standard output drops and counts lines while standard output is blocked and its buffer is full', async () => {
    const { stderr } = startLogging(`
      const registry = createRegistry({ service: 'test' });
      countDroppedLines(logger, registry);
      const kibibyte = 'x'.repeat(1_024);
      for (let line = 0; line < 16 * 1_024; line++) logger.info(kibibyte);
      console.error(await registry.getSingleMetricAsString('log_lines_dropped_total'));
      ${idle}
    `);
    const [, , metric = ''] = await firstLines(3, stderr);
    // The buffer has room for half of the 16 MiB, minus the JSON around each text.
    const dropped = Number(metric.split(' ').at(-1));
    expect(dropped).toBeGreaterThan(8 * 1_024);
    expect(dropped).toBeLessThan(10 * 1_024);
  });
});

describe('every logger', () => {
  it('every logger omits members that may contain a secret, and the commands of Redis errors', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', instance: 'one', level: 'info', destination });
    const cause = Object.assign(new Error('refused'), { command: { name: 'auth', args: ['hunter2'] } });
    const err = new Error('no connection', { cause });
    logger.info({ password: 'hunter2', headers: { authorization: 'Bearer hunter2' }, err }, 'connected');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('hunter2');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ headers: {}, msg: 'connected' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      err: { message: 'no connection', cause: { message: 'refused' } },
    });
  });

  it.each<[string, (logger: Logger) => void]>([
    ['a member', (logger) => logger.info({ secret: 'hunter2', kept: 1 }, 'x')],
    ['a member of a member', (logger) => logger.info({ kept: 1, config: { pepper: 'hunter2', host: 'a' } }, 'x')],
    ['a member that is an object', (logger) => logger.info({ kept: 1, password: { of: 'hunter2' } }, 'x')],
    [
      'a member of an error',
      (logger) => logger.info({ kept: 1, err: Object.assign(new Error('no'), { secret: 'hunter2' }) }),
    ],
    ['a member of a child logger', (logger) => logger.child({ secret: 'hunter2', kept: 1 }).info('x')],
  ])('every logger omits %s that may contain a secret', (_, log) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    log(createLogger({ service: 'test', instance: 'one', level: 'info', destination }));
    expect(lines[0]).not.toContain('hunter2');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'test', kept: 1 });
  });

  it.each<[string, (logger: Logger, hostile: string) => void]>([
    ['a message', (logger, hostile) => logger.info(hostile)],
    ['a member', (logger, hostile) => logger.info({ path: hostile }, 'x')],
    ['a name of a member', (logger, hostile) => logger.info({ [hostile]: 1 }, 'x')],
    ['an error', (logger, hostile) => logger.error({ err: new Error(hostile) })],
    ['a member of a child logger', (logger, hostile) => logger.child({ path: hostile }).info('x')],
  ])('every logger writes %s without characters that control a terminal or that nobody sees', (_, log) => {
    const hostile = 'é\u001b[2J\u009b31m\u202egnp\u2066\u200b\u2028\u{e0041}\ud83d\r\n';
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    log(createLogger({ service: 'test', instance: 'one', level: 'info', destination }), hostile);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    const read: unknown[] = [];
    JSON.parse(lines[0] ?? '', (name, value) => read.push(name, value));
    expect(read.some((text) => typeof text === 'string' && text.includes('é\u001b[2J\u009b31m\u202egnp'))).toBe(true);
  });

  it('no logger changes what is logged', () => {
    const destination = { write: () => {} };
    const members = { password: 'hunter2', config: { secret: 'hunter2' } };
    createLogger({ service: 'test', instance: 'one', level: 'info', destination }).info(members, 'x');
    expect(members).toEqual({ password: 'hunter2', config: { secret: 'hunter2' } });
  });
});
