import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache, freePort } from '@shopscope/local-stack';
import { waitUntil } from '@shopscope/testing';
import { expect } from 'vitest';
import type { Backends } from './backends.ts';
import { environmentOf } from './gateway.ts';
import type { TestAnswer } from './http.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** A gateway as a process of its own, which a test can kill. Resolves when it answers. */
export async function startGatewayProcess(options: {
  backends: Backends;
  env?: Record<string, string>;
  /** The URL of a module that the process loads first. */
  preload?: string;
}) {
  const port = await freePort();
  const preload = options.preload === undefined ? [] : ['--import', options.preload];
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', ...preload, main], {
    env: { ...compileCache, ...environmentOf(options.backends, options.env), HTTP_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const answers = async () => child.exitCode !== null || (await fetch(`${url}/v1/health`)).ok;
    await waitUntil('the gateway process to answer', answers, { timeoutMs: 60_000, intervalMs: 100 });
    if (child.exitCode !== null) throw new Error('the gateway process did not start');
  } catch (error) {
    await kill();
    throw error;
  }
  return { url, kill };
}

/**
 * Sends a request until its connection ends without an answer, because its gateway was killed. A gateway that has just started may answer 503
 * before: Redis takes longer than a request waits for it.
 */
export async function sendUntilLost(send: () => Promise<TestAnswer>): Promise<void> {
  const isLost = async () => {
    const answer = await send().catch(() => undefined);
    if (answer) expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    return !answer;
  };
  await waitUntil('the request to end with its gateway', isLost);
}
