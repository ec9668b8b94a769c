import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { EndpointState, UpdateEndpointRequest, webhookStateChanged, workspaceEvent } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { read } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startWebhooksOf, type TestWebhooks } from './support/webhooks.ts';

let system: TestSystem;
let webhooks: TestWebhooks;
let kafka: Kafka;
let producer: EventProducer;
let mongo: MongoClient;
let receiver: Server;
let status = 410;
let people = 0;

const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };

beforeAll(async () => {
  system = await startTestSystem();
  webhooks = await startWebhooksOf(system);
  kafka = createKafka(kafkaOptions(system.namespace));
  producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  mongo = await MongoClient.connect(system.namespace.mongoUrl);
  receiver = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
}, 60_000);
afterAll(async () => {
  receiver.close();
  await mongo.close();
  await producer.close();
  await kafka.close();
  await webhooks.stop();
  await system.stop();
});

/** A workspace with two admins and a member, and an endpoint whose URL has a secret in its query. */
async function setUp() {
  people += 1;
  const [ann, bob, mia] = [
    await system.person(`Ann ${people}`),
    await system.person(`Bob ${people}`),
    await system.person(`Mia ${people}`),
  ];
  const { workspaceId, organizationId } = await system.workspace('Acme', [
    { id: ann.id, role: 'admin' },
    { id: bob.id, role: 'admin' },
    { id: mia.id, role: 'member' },
  ]);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=hidden`;
  const members = { url, eventTypes: ['scan.completed'], description: '', watchlistIds: [], headers: [] };
  const { endpoint } = await webhooks.client.createEndpoint(
    {
      workspaceId,
      quota: 5,
      requestToken: '',
      members: { ...members, filters: undefined, maxPerMinute: undefined },
    },
    { origin },
  );
  return { ann, bob, mia, workspaceId, organizationId, endpointId: endpoint?.id ?? '', url };
}
type World = Awaited<ReturnType<typeof setUp>>;

const mailsTo = (email: string) =>
  system.db
    .collection<{ to: string; subject: string; text: string }>('development_mails')
    .find({ to: email })
    .toArray();

const eventIds = { scan: 'evt_01kandxv3w9p4nsbq7g8e2hm5', state: 'evt_01kandxv3w9p4nsbq7g8e2hm6' };

/** An event of the workspace, which webhooks delivers. */
const publishEvent = ({ workspaceId }: World, n: string) =>
  producer.publish(
    workspaceEvent.live,
    {
      workspaceId,
      id: eventIds.scan + n,
      sequence: 1,
      type: 'scan.completed',
      createdAtMs: Date.now(),
      related: undefined,
      watchlistIds: [],
      data: JSON.stringify({ job_id: 'job_01kandxv3w9p4nsbq7g8e2hm5t', domain: 'shop.example' }),
      subject: undefined,
    },
    origin,
  );

const publishState = (
  { workspaceId, endpointId, url }: World,
  { n, type, environment = 'live' }: { n: string; type: string; environment?: 'live' | 'test' },
) =>
  producer.publish(
    webhookStateChanged.live,
    {
      workspaceId,
      eventId: eventIds.state + n,
      type,
      related: { type: 'webhook', id: endpointId, path: `/v1/webhooks/${endpointId}` },
      data: JSON.stringify({ webhook_id: endpointId, url }),
      atMs: 1,
    },
    { ...origin, environment },
  );

/** All events were consumed, and all mails that are due were sent. */
const settled = () =>
  waitUntil('no event and no mail waits', async () => {
    const waiting = await system.db.collection('webhook_mails').countDocuments({ dueAt: { $exists: true } });
    return waiting === 0 && (await system.services.dashboard.pending?.()) === 0;
  });

const stored = ({ endpointId }: World, n: string) =>
  waitUntil('the alert is stored', async () => {
    const alert = await system.db.collection('webhook_alerts').findOne({ _id: endpointId as never });
    return alert?.eventId === eventIds.state + n;
  });

it('each admin gets one mail about an endpoint that was disabled, and pages show it until it is active again', async () => {
  status = 410;
  const world = await setUp();
  await publishEvent(world, 'a');
  const [mail] = await system.mails(world.ann.email);
  await system.mails(world.bob.email);
  expect(mail?.subject).toBe('A webhook endpoint of Shopscope was disabled');
  const text = mail?.text.replaceAll('\u2060', '') ?? '';
  expect(text).toContain('The latest answer had the status 410.');
  expect(text).toContain('/hook” of the workspace “Acme” was disabled');
  expect(text).toContain(`${system.url}/workspaces/${world.workspaceId}/webhooks/${world.endpointId}`);
  expect(text).not.toContain('hidden');

  const browser = await system.signIn(world.mia);
  const page = () => browser.get(`/workspaces/${world.workspaceId}/settings/members`).then(read);
  // Webhooks may answer too late on a slow machine.
  await expect.poll(page).toContain('A webhook endpoint is disabled');
  const active = UpdateEndpointRequest.fromPartial({
    workspaceId: world.workspaceId,
    endpointId: world.endpointId,
    state: EndpointState.ACTIVE,
  });
  await webhooks.client.updateEndpoint(active, { origin });
  await expect.poll(page).not.toContain('A webhook endpoint is disabled');
  await expect
    .poll(() => system.db.collection('webhook_alerts').countDocuments({ workspaceId: world.workspaceId }))
    .toBe(0);

  // The same event again, as after a restart of the consumer.
  const { eventId } = (await system.db
    .collection('webhook_mails')
    .findOne({ workspaceId: world.workspaceId })
    .then((row) => ({ eventId: String(row?._id).split('/')[0] }))) as { eventId: string };
  await producer.publish(
    webhookStateChanged.live,
    {
      workspaceId: world.workspaceId,
      eventId,
      type: 'webhook.disabled',
      related: { type: 'webhook', id: world.endpointId, path: '' },
      data: '{}',
      atMs: 1,
    },
    origin,
  );
  await publishState(world, { n: 'b', type: 'webhook.failing' });
  await stored(world, 'b');
  await settled();
  expect(await mailsTo(world.ann.email)).toHaveLength(1);
  expect(await mailsTo(world.mia.email)).toEqual([]);
});

it('an admin is told since when nothing was delivered, but not after the role or the failures have ended', async () => {
  const world = await setUp();
  const since = new Date('2026-01-15T12:00:00Z');
  await webhooks.fail(world.endpointId, since);
  await system.db
    .collection('member')
    .updateOne({ organizationId: world.organizationId, userId: world.bob.id }, { $set: { role: 'member' } });
  await publishState(world, { n: 'c', type: 'webhook.failing' });
  const [mail] = await system.mails(world.ann.email);
  expect(mail?.subject).toBe('A webhook endpoint of Shopscope is failing');
  expect(mail?.text).toContain('has succeeded since 15 January 2026 at 12:00 UTC.');
  await settled();
  expect(await mailsTo(world.bob.email)).toEqual([]);

  const queues = mongo.db(system.namespace.databaseName('webhooks')).collection<{ _id: string }>('queues');
  await queues.updateOne({ _id: world.endpointId }, { $set: { streak: null } });
  await publishState(world, { n: 'd', type: 'webhook.failing' });
  await stored(world, 'd');
  await settled();
  expect(await mailsTo(world.ann.email)).toHaveLength(1);
});

it('failures of an endpoint for test keys are neither mailed nor shown', async () => {
  const world = await setUp();
  await publishState(world, { n: 'e', type: 'webhook.disabled', environment: 'test' });
  await publishState(world, { n: 'f', type: 'webhook.failing' });
  await stored(world, 'f');
  expect(
    await system.db.collection('webhook_mails').countDocuments({ _id: { $regex: `${eventIds.state}e` } as never }),
  ).toBe(0);
});

it('a page without an answer of webhooks is shown without the banner', async () => {
  const world = await setUp();
  await publishState(world, { n: 'g', type: 'webhook.failing' });
  await stored(world, 'g');
  const browser = await system.signIn(world.mia);
  await webhooks.stop();
  try {
    const response = await browser.get(`/workspaces/${world.workspaceId}/settings/members`);
    expect(response.status).toBe(200);
    expect(await read(response)).not.toContain('webhook endpoint');
  } finally {
    webhooks = await startWebhooksOf(system);
  }
});
