import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@shopscope/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endLeftover, startChild } from '../src/index.ts';

const waitForever = 'setInterval(() => {}, 1000)';
/** A process that has ended may wait for its parent, without a command line. */
const isAlive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

describe('child process', () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'child-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  const pidFile = () => join(stateDir, 'pids/sleeper.json');
  const start = (script: string) =>
    startChild({ name: 'sleeper', command: process.execPath, args: ['-e', script], stateDir });

  it('a child process is asked to stop, and is then killed', async () => {
    const stubborn = start(`process.on('SIGTERM', () => {}); console.log('up'); ${waitForever}`);
    const log = join(stateDir, 'logs/sleeper.log');
    await waitUntil('the child to be up', () => readFileSync(log, 'utf8').includes('up'));
    await stubborn.stop(50);
    expect(await stubborn.exited).toBe('was ended by SIGKILL');
    expect(isAlive(stubborn.pid)).toBe(false);
    expect(existsSync(pidFile())).toBe(false);
  });

  it('a child process that a killed parent left behind is found by the next start and ended', async () => {
    const index = new URL('../src/index.ts', import.meta.url).href;
    const parent = spawn(process.execPath, [
      '--conditions=@shopscope/source',
      '--input-type=module',
      '-e',
      `import { startChild } from ${JSON.stringify(index)};
       const child = startChild({ name: 'sleeper', command: process.execPath, args: ['-e', ${JSON.stringify(waitForever)}], stateDir: ${JSON.stringify(stateDir)} });
       console.log(child.pid); ${waitForever}`,
    ]);
    const [chunk] = await once(parent.stdout, 'data');
    const pid = Number(chunk);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(isAlive(pid)).toBe(true);

    expect(await endLeftover(stateDir, 'sleeper')).toBe(true);
    expect(isAlive(pid)).toBe(false);
    expect(await endLeftover(stateDir, 'sleeper')).toBe(false);
  });

  it('a child process is never confused with a stranger that has its pid now', async () => {
    const stranger = spawn(process.execPath, ['-e', waitForever]);
    mkdirSync(join(stateDir, 'pids'));
    writeFileSync(pidFile(), JSON.stringify({ pid: stranger.pid, command: 'mongod', args: ['--dbpath', '/ours'] }));
    expect(await endLeftover(stateDir, 'sleeper')).toBe(false);
    expect(isAlive(stranger.pid as number)).toBe(true);
    stranger.kill('SIGKILL');
  });

  it('a child process that cannot be started says so instead of throwing', async () => {
    const child = startChild({ name: 'sleeper', command: '/nowhere/mongod', args: [], stateDir });
    expect(await child.exited).toMatch(/^could not be started/);
    await child.stop();
  });
});
