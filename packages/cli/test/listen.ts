import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient, verifyWebhook } from '@shopscope/client';
import type { DevEnv } from '@shopscope/dev-env';
import { expect, test } from 'vitest';
import { type Received, startReceiver } from './receiver.ts';

const program = new URL('../bin/shopscope.js', import.meta.url).pathname;

/** The command as a process, beside the running service. */
export function testListen(system: () => DevEnv): void {
  test('listen forwards what happens after its start to a receiver that verifies it, and SIGINT ends it with 0', async () => {
    const env = system();
    const { secret: apiKey } = await env.createWorkspace({ plan: 'scale' });
    const baseUrl = env.apiUrls[0] as string;
    const client = createClient({ apiKey, baseUrl });
    const scan = async (domain: string) => (await client.waitForJob((await client.requestScan(domain)).id)).id;
    await scan('northwind-tea.example');
    await env.settle();

    const received: Received[] = [];
    await using receiver = await startReceiver(received);
    const child = spawn(process.execPath, [program, 'listen', '--forward-to', `${receiver.url}/hooks`], {
      env: { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += chunk));
    child.stderr.on('data', (chunk) => (texts.err += chunk));
    const ended = once(child, 'close');
    await expect.poll(() => texts.err).toContain('The secret is whsec_');
    const jobId = await scan('fjordlicht.example');
    await expect.poll(() => texts.out).toMatch(/scan\.completed .* → 204, \d+ ms\n/);
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);

    const secret = /whsec_\S+/.exec(texts.err)?.[0] ?? '';
    const events = await Promise.all(received.map(({ headers, body }) => verifyWebhook(headers, body, secret)));
    const stored = (await Array.fromAsync(client.events())).filter(({ data }) => data.job_id === jobId);
    expect(stored).toHaveLength(1);
    expect(events).toEqual(
      stored.map(({ id, type, created_at: timestamp, data, sequence, environment }) => ({
        id,
        type,
        timestamp,
        data,
        sequence,
        environment,
      })),
    );
  });
}
