import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@shopscope/client';
import type { Environment } from '@shopscope/environment';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  DeliveryState,
  KeyChange,
  KeyChanged,
  keyChanged,
  topicsOf,
  type WebhookStateChanged,
  WebhooksServiceService,
  WorkspaceEvent,
  webhookStateChanged,
  workspaceEvent,
} from '@shopscope/proto';
import { type KafkaHarness, serviceEnvironment, startKafkaHarness, testNamespace, waitUntil } from '@shopscope/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, startWebhooks } from '../../src/index.ts';

type Client = GrpcClient<typeof WebhooksServiceService>;

interface Message {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('two instances of webhooks', () => {
  const namespace = testNamespace('webhooks-service');
  const instances: RunningService[] = [];
  const clients: Client[] = [];
  let kafka: KafkaHarness<unknown, EventProducer>;
  let receiver: Server;
  let url: string;
  let workspaceId: string;
  let status = 200;
  const received: Message[] = [];
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      // A retry of an earlier test may arrive late.
      if (request.url?.endsWith(workspaceId)) received.push({ headers: request.headers, body });
      response.writeHead(status).end('thanks');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const env = {
      ...serviceEnvironment(namespace, 'webhooks'),
      SUBSCRIPTIONS_ADDRESS: '127.0.0.1:1',
      PUBLIC_API_URL: 'https://api.example',
      WEBHOOK_STORAGE_SECRETS: '1:development-secret-of-the-tests-of-webhooks',
      ALLOW_LOOPBACK_ENDPOINTS: 'true',
      TICK_MS: '50',
    };
    for (const n of [1, 2]) {
      instances.push(await startWebhooks(loadConfig({ ...env, INSTANCE_ID: `webhooks-${n}-${namespace.id}` })));
    }
    const topics = topicsOf(
      workspaceEvent.live,
      workspaceEvent.test,
      keyChanged,
      webhookStateChanged.live,
      webhookStateChanged.test,
    );
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace, topics);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const instance of instances) await instance.stop();
    await kafka?.close();
    await new Promise((resolve) => receiver?.close(resolve));
    await namespace.cleanup();
  });
  beforeEach(() => {
    workspaceId = newId('ws');
    received.length = 0;
    status = 200;
  });

  const originOf = (environment: Environment) => ({ requestId: 'req_test', traceparent: '', environment });
  const clientOf = (instance = 0): Client => {
    const address = instances[instance]?.grpcAddress as string;
    const client = createGrpcClient({ definition: WebhooksServiceService, address });
    clients.push(client);
    return client;
  };
  const create = (environment: Environment, over: object = {}, quota = 10) =>
    clientOf().createEndpoint(
      {
        workspaceId,
        members: {
          url: `${url}/${workspaceId}`,
          eventTypes: ['scan.completed'],
          description: '',
          watchlistIds: [],
          filters: undefined,
          maxPerMinute: undefined,
          headers: [{ name: 'X-Team', value: 'growth' }],
          ...over,
        },
        quota,
        requestToken: '',
      },
      { origin: originOf(environment) },
    );
  const publish = (environment: Environment, count: number) =>
    kafka.producer.publishMany(
      workspaceEvent[environment],
      Array.from({ length: count }, (_, n) =>
        WorkspaceEvent.fromPartial({
          workspaceId,
          id: newId('evt'),
          sequence: n + 1,
          type: 'scan.completed',
          createdAtMs: Date.UTC(2026, 0, 15),
          data: '{}',
        }),
      ),
      originOf(environment),
    );

  it('two instances send each event of a workspace once, in the environment of the endpoint only', async () => {
    await create('live');
    await create('test');
    await publish('live', 60);
    await publish('test', 5);
    await waitUntil('65 messages', () => received.length >= 65);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(65);
    const environments = received.map(({ body }) => JSON.parse(body).environment);
    expect(environments.filter((environment) => environment === 'test')).toHaveLength(5);
    expect(received[0]?.headers).toMatchObject({ 'x-team': 'growth', 'content-type': 'application/json' });
  });

  it('instances sign messages so that verifyWebhook and the library of Standard Webhooks accept them, with both secrets during a rotation', async () => {
    const verifiers = {
      ours: ({ headers, body }: Message, secret: string) => verifyWebhook(headers, body, secret),
      theirs: async ({ headers, body }: Message, secret: string) =>
        new Webhook(secret).verify(body, headers as Record<string, string>),
    };
    /** Sends three messages. Returns, per verifier and secret, whether it accepts all or none of them. */
    const send = async (secrets: readonly string[]) => {
      received.length = 0;
      await publish('live', 3);
      await waitUntil('3 messages', () => received.length >= 3);
      const verdicts = Object.values(verifiers).map((verify) =>
        Promise.all(
          secrets.map(async (secret) => {
            const results = await Promise.allSettled(received.map((message) => verify(message, secret)));
            return [...new Set(results.map(({ status: each }) => each))].join();
          }),
        ),
      );
      return Promise.all(verdicts);
    };
    const { endpoint, secret: first } = await create('live');
    const rotate = async (overlapHours: number) => {
      const request = { workspaceId, endpointId: endpoint?.id ?? '', overlapHours, requestToken: '' };
      return (await clientOf(1).rotateSecret(request, { origin: originOf('live') })).secret;
    };
    const both = <T>(verdict: T) => [verdict, verdict];
    expect(await send([first])).toEqual(both(['fulfilled']));
    const second = await rotate(1);
    expect(await send([first, second])).toEqual(both(['fulfilled', 'fulfilled']));
    const third = await rotate(1);
    expect(await send([first, second, third])).toEqual(both(['rejected', 'fulfilled', 'fulfilled']));
    const last = await rotate(0);
    expect(await send([second, third, last])).toEqual(both(['rejected', 'rejected', 'fulfilled']));
  });

  it('instances show a delivery with its attempt to its own workspace only', async () => {
    status = 500;
    const { endpoint } = await create('live');
    await publish('live', 1);
    const filter = {
      endpointId: endpoint?.id ?? '',
      eventId: '',
      states: [DeliveryState.RETRYING],
      fromMs: undefined,
      toMs: undefined,
      after: undefined,
      limit: 10,
    };
    const list = (ofWorkspace: string) =>
      clientOf(1).listDeliveries({ workspaceId: ofWorkspace, ...filter }, { origin: originOf('live') });
    const [delivery] = await waitUntil('a failed attempt', async () => {
      const { deliveries } = await list(workspaceId);
      return deliveries.length > 0 && deliveries;
    });
    expect(delivery).toMatchObject({ attempts: [{ status: 500, error: '', bodyExcerpt: 'thanks' }] });
    await expect(list(newId('ws'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('instances refuse addresses that are not public, other protocols, credentials and reserved headers', async () => {
    const urls = [
      'https://10.0.0.1/',
      'http://hooks.example/',
      'https://u:p@hooks.example/',
      'ftp://hooks.example/',
      'x',
    ];
    for (const wrong of [
      ...urls,
      'https://169.254.169.254/',
      'https://[::ffff:10.0.0.1]/',
      `https://a.example/${'a'.repeat(2_048)}`,
    ]) {
      await expect(create('live', { url: wrong })).rejects.toMatchObject({ code: 'invalid_request' });
      const check = clientOf().checkUrl({ workspaceId, url: wrong }, { origin: originOf('live') });
      await expect(check).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'url' } });
    }
    for (const name of ['Host', 'Content-Type', 'webhook-id', 'Transfer-Encoding', 'bad name', '']) {
      const headers = [{ name, value: 'a' }];
      await expect(create('live', { headers })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const headers = [{ name: 'x-a', value: 'a\r\nx-b: c' }];
    await expect(create('live', { headers })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ] as const)(
    'the change of an endpoint of %s is published for its environment, and not for %s',
    async (own, other) => {
      status = 410;
      const changes = {
        live: await kafka.collect(webhookStateChanged.live),
        test: await kafka.collect(webhookStateChanged.test),
      };
      const ofWorkspace = (environment: Environment) =>
        (changes[environment].events as WebhookStateChanged[]).filter((event) => event.workspaceId === workspaceId);
      await create(own);
      await publish(own, 1);
      const [change] = await waitUntil('the change', () => ofWorkspace(own).length > 0 && ofWorkspace(own));
      expect(change?.type).toBe('webhook.disabled');
      expect(ofWorkspace(other)).toEqual([]);
    },
  );

  it('a reset deletes the endpoints and deliveries of the test tenant, and keeps the live ones', async () => {
    await create('live');
    const { endpoint } = await create('test');
    await publish('test', 3);
    await waitUntil('3 messages', () => received.length >= 3);
    const request = { workspaceId };
    for (let call = 0; call < 2; call++) await clientOf().resetTestEndpoints(request, { origin: originOf('test') });
    const page = { workspaceId, afterId: '', limit: 10 };
    const list = async (environment: Environment) =>
      (await clientOf().listEndpoints(page, { origin: originOf(environment) })).endpoints;
    expect(await list('test')).toEqual([]);
    expect(await list('live')).toHaveLength(1);
    const of = { workspaceId, endpointId: endpoint?.id ?? '' };
    await expect(clientOf().getEndpoint(of, { origin: originOf('test') })).rejects.toMatchObject({ code: 'not_found' });
    const wrong = clientOf().resetTestEndpoints(request, { origin: originOf('live') });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
    // The place of the endpoint is free again.
    received.length = 0;
    expect((await create('test', {}, 1)).endpoint?.id).toBeDefined();
    await publish('test', 1);
    await waitUntil('a message', () => received.length > 0);
  });

  it('instances forget a deleted workspace', async () => {
    const { endpoint } = await create('live');
    const change = { change: KeyChange.WORKSPACE_DELETED, workspaceId, planSlug: 'free', atMs: 1 };
    const origin = { requestId: 'req_test', traceparent: '', environment: null };
    await kafka.producer.publish(keyChanged, KeyChanged.fromPartial(change), origin);
    const request = { workspaceId, endpointId: endpoint?.id ?? '' };
    await waitUntil('the deletion', () =>
      clientOf()
        .getEndpoint(request, { origin: originOf('live') })
        .then(
          () => false,
          ({ code }) => code === 'not_found',
        ),
    );
    await publish('live', 3);
    await expect(create('live')).rejects.toMatchObject({ code: 'not_found' });
    expect(received).toEqual([]);
  });
});
