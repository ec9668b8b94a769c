import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@shopscope/local-stack';
import { environmentOf } from './gateway.ts';
import type { Neighbours } from './neighbours.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const startTimeoutMs = 60_000;

/** A gateway as a process of its own, which a test can kill. Resolves when it answers. */
export async function startGatewayProcess(options: {
  id: string;
  neighbours: Neighbours;
  env?: Record<string, string>;
}) {
  const { id, neighbours } = options;
  const port = await freePort();
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', main], {
    env: { ...environmentOf(id, neighbours, options.env), HTTP_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };

  const endMs = performance.now() + startTimeoutMs;
  for (;;) {
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined);
    if (answer?.ok) return { url, kill };
    if (child.exitCode !== null || performance.now() > endMs) {
      await kill();
      throw new Error('the gateway process did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
