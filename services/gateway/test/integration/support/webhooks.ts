import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceEnvironment, type TestNamespace } from '@shopscope/testing';
import { loadConfig, startWebhooks } from '@shopscope/webhooks';
import { type KeyOptions, startBackends } from './backends.ts';
import { startTestGateway } from './gateway.ts';
import { createRequests } from './requests.ts';
import { startTestSubscriptions } from './subscriptions.ts';

/** A message that the receiver got. */
export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server on this machine that receives messages. */
export async function startReceiver() {
  const messages: ReceivedMessage[] = [];
  const receiver = { status: 204, text: '' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    messages.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(receiver.status).end(receiver.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(receiver, {
    url,
    /** The messages for a path. */
    at: (path: string) => messages.filter((message) => message.path === path),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The signature of a message as Standard Webhooks 1.0 defines it. */
export function signatureOf({ headers, body }: ReceivedMessage, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** The real webhooks in this process. Endpoints on this machine are accepted. */
async function startTestWebhooks(namespace: TestNamespace, subscriptionsAddress: string) {
  const more = {
    SUBSCRIPTIONS_ADDRESS: subscriptionsAddress,
    PUBLIC_API_URL: 'https://api.shopscope.test',
    WEBHOOK_STORAGE_SECRETS: '1:development-secret-of-the-tests-of-the-gateway',
    ALLOW_LOOPBACK_ENDPOINTS: 'true',
    TICK_MS: '250',
  };
  const service = await startWebhooks(loadConfig({ ...serviceEnvironment(namespace, 'webhooks'), ...more }));
  return { address: service.grpcAddress as string, stop: service.stop };
}

/** A gateway with the real webhooks and subscriptions, a receiver, and requests by a key of these options. The other services are fakes. */
export async function startWebhookSystem(keyOptions: KeyOptions) {
  const backends = await startBackends();
  const subscriptions = await startTestSubscriptions(backends.namespace, backends.address);
  const webhooks = await startTestWebhooks(backends.namespace, subscriptions.address);
  const env = { SUBSCRIPTIONS_ADDRESS: subscriptions.address, WEBHOOKS_ADDRESS: webhooks.address };
  const gateway = await startTestGateway({ backends, env });
  const receiver = await startReceiver();
  const requests = createRequests(backends, gateway, keyOptions);
  const { send } = requests;
  return Object.assign(requests, {
    backends,
    gateway,
    receiver,
    /** The path of the receiver for the workspace. */
    hookPath: () => `/${requests.key.workspaceId}`,
    /** Creates a webhook of the receiver and returns the body of the response. */
    async newWebhook(members: object = {}, secret = requests.key.secret) {
      const url = `${receiver.url}/${requests.key.workspaceId}`;
      return (await send('POST', '/v1/webhooks', { url, event_types: ['watchlist.paused'], ...members }, { secret }))
        .body;
    },
    /** Makes the event watchlist.paused. Returns the id of the watchlist. */
    async pauseWatchlist(secret = requests.key.secret): Promise<string> {
      const { id } = (await send('POST', '/v1/watchlists', { name: 'Competitors' }, { secret })).body;
      await send('PATCH', `/v1/watchlists/${id}`, { state: 'paused' }, { secret });
      return id;
    },
    async stop() {
      await gateway.stop();
      await webhooks.stop();
      await subscriptions.stop();
      await backends.stop();
      await receiver.stop();
    },
  });
}

export type WebhookSystem = Awaited<ReturnType<typeof startWebhookSystem>>;
