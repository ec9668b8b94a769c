import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Client, createClient, type Event, verifyWebhook } from '@shopscope/client';
import type { DevEnv } from '@shopscope/dev-env';
import { expect, test } from 'vitest';
import { type Received, startReceiver } from './receiver.ts';

const program = new URL('../bin/shopscope.js', import.meta.url).pathname;

/** The command as a process, beside the running service. */
export function testListen(system: () => DevEnv): void {
  test('listen forwards what happens after its start to a receiver that verifies it, and SIGINT ends it with 0', async () => {
    const env = system();
    const { secret } = await env.createWorkspace({ plan: 'scale' });
    await expectForwarded(env, secret, async (client, isFirst) => {
      const { id } = await client.requestScan(isFirst ? 'northwind-tea.example' : 'fjordlicht.example');
      await client.waitForJob(id);
      await env.settle();
      return ({ data }) => data.job_id === id;
    });
  });

  test('listen with a test key forwards the events of /v1/test/events, with the environment test', async () => {
    const env = system();
    const { secret } = await env.createWorkspace({ plan: 'scale', environment: 'test' });
    const [forwarded] = await expectForwarded(env, secret, async (client, isFirst) => {
      const data = { domain: isFirst ? 'matched.test' : 'slow.test' };
      const { event } = await client.appendTestEvent({ type: 'scan.completed', data });
      return ({ id }) => id === event.id;
    });
    expect(forwarded).toMatchObject({ environment: 'test', data: { domain: 'slow.test' } });
  });
}

/** Makes an event before and one after the start of the command. Returns what was forwarded: the second event alone. */
async function expectForwarded(
  env: DevEnv,
  apiKey: string,
  makeEvent: (client: Client, isFirst: boolean) => Promise<(event: Event) => boolean>,
) {
  const baseUrl = env.apiUrls[0] as string;
  const client = createClient({ apiKey, baseUrl });
  await makeEvent(client, true);

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
  const isSecond = await makeEvent(client, false);
  await expect.poll(() => texts.out).toMatch(/scan\.completed .* → 204, \d+ ms\n/);
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(0);

  const secret = /whsec_\S+/.exec(texts.err)?.[0] ?? '';
  const forwarded = await Promise.all(received.map(({ headers, body }) => verifyWebhook(headers, body, secret)));
  const stored = (await Array.fromAsync(client.events())).filter(isSecond);
  expect(stored).toHaveLength(1);
  expect(forwarded).toEqual(
    stored.map(({ id, type, created_at: timestamp, data, sequence, environment }) => ({
      id,
      type,
      timestamp,
      data,
      sequence,
      environment,
    })),
  );
  return forwarded;
}
