import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Client, createClient, signWebhook } from '@shopscope/client';
import type { DevEnv } from '@shopscope/dev-env';
import { freePort } from '@shopscope/local-stack';
import { waitUntil } from '@shopscope/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { findPython, type Python } from '../../../packages/client-python/test/python.ts';
import { readGuides } from '../src/guide.ts';
import type { SampleFolder } from './sample-folder.ts';

const receivers = readGuides().flatMap((guide) => guide.receivers);
const python = findPython();
const nameOf = (at: number) => `receiver_${at}`;

/** A message as it arrived. */
interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Every receiver of the guides, unchanged, as a process that gets messages of the real service. */
export function describeReceivers(system: () => DevEnv, folder: SampleFolder): void {
  describe('receivers of the guides', () => {
    let env: DevEnv;
    let client: Client;

    beforeAll(async () => {
      env = system();
      client = createClient({
        apiKey: (await env.createWorkspace({ environment: 'test' })).secret,
        baseUrl: env.apiUrls[0] as string,
      });
      for (const [at, { language, text }] of receivers.entries()) {
        folder.write(`${nameOf(at)}.${language === 'ts' ? 'mts' : 'py'}`, text);
      }
    });

    test('the guide has receivers for Express, FastAPI and Node.js', () => {
      expect(receivers.map(({ heading, language }) => [heading, language])).toEqual([
        ['Express', 'ts'],
        ['FastAPI', 'python'],
        ['Node.js without a framework', 'ts'],
      ]);
    });

    const runnable = receivers.map((receiver, at) => ({ ...receiver, at }));
    test.skipIf(typeof python === 'string').each(runnable)(
      'the receiver for $heading accepts a message of the service and of both secrets, handles a repeated one once, and refuses a changed one',
      async (receiver) => {
        const port = await freePort();
        const url = `http://127.0.0.1:${port}`;
        await using relay = await startRelay(`${url}/webhooks`);
        const webhook = await client.createWebhook({ url: relay.url, event_types: ['scan.completed'] });
        const rotated = await client.rotateWebhookSecret(webhook.id);
        const secrets = [webhook.secret ?? '', rotated.secret ?? ''];
        await using running = await start(receiver, { port, secrets });

        await client.appendTestEvent({ type: 'scan.completed', data: { domain: 'matched.test' } });
        await expect.poll(() => statesOf(client, webhook.id), { timeout: 60_000 }).toEqual(['succeeded']);
        const [{ headers, body } = { headers: {}, body: '' } as Message] = relay.messages;
        const id = headers['webhook-id'] ?? '';
        await expect.poll(running.handled, { timeout: 60_000 }).toEqual([id]);

        const send = async (text: string, changed: Record<string, string> = {}) => {
          const sent = { method: 'POST', headers: { ...headers, ...changed }, body: text };
          return (await fetch(`${url}/webhooks`, sent)).status;
        };
        expect(await send(body)).toBe(204);
        expect(await send(body.replace('matched', 'changed'))).toBe(400);
        expect(await send(body, { 'webhook-id': 'evt_1' })).toBe(400);
        for (const secret of secrets)
          expect(await send(body, await signWebhook({ id, body, secrets: secret }))).toBe(204);
        expect(running.handled()).toEqual([id]);
      },
    );

    /** Starts a receiver. Resolves when it listens. */
    async function start(
      { language, at }: (typeof runnable)[number],
      { port, secrets }: { port: number; secrets: string[] },
    ) {
      const variables = {
        PORT: String(port),
        SHOPSCOPE_WEBHOOK_SECRETS: secrets.join(' '),
        PATH: process.env.PATH ?? '',
      };
      const options = { cwd: folder.path, env: { ...variables, ...folder.pythonPath }, stdio: 'pipe' as const };
      const child =
        language === 'ts'
          ? spawn(process.execPath, ['--conditions=@shopscope/source', `${nameOf(at)}.mts`], options)
          : spawn((python as Python).path, ['-m', nameOf(at)], options);
      const texts = { out: '', err: '' };
      child.stdout.on('data', (chunk) => (texts.out += chunk));
      child.stderr.on('data', (chunk) => (texts.err += chunk));
      await waitUntil('the receiver listens', () => listens(child, port)).catch((error: Error) => {
        throw new Error(`${error.message}\n${texts.out}${texts.err}`);
      });
      return {
        /** The ids of the events that it printed, in order. */
        handled: () => texts.out.match(/\bevt_\w+(?= scan\.completed)/g) ?? [],
        async [Symbol.asyncDispose]() {
          const ended = once(child, 'close');
          child.kill();
          await ended;
        },
      };
    }
  });
}

async function statesOf(client: Client, webhookId: string): Promise<string[]> {
  return (await client.listWebhookDeliveries(webhookId)).data.map(({ state }) => state);
}

/** A server between the service and a receiver. It has what the service sent, and answers what the receiver answers. */
async function startRelay(receiverUrl: string) {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        /^(webhook|content-type)/.test(name) ? [[name, String(value)]] : [],
      ),
    );
    messages.push({ headers, body });
    const { status } = await fetch(receiverUrl, { method: 'POST', headers, body });
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Throws if the process has ended. */
async function listens(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the receiver ended with ${child.exitCode}`);
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
