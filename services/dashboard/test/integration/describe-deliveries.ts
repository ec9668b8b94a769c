import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import {
  DeliveryState,
  EndpointState,
  ScanJobEnded,
  ScanJobEndState,
  scanJobEnded,
  UpdateEndpointRequest,
} from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestGateway } from './support/gateway.ts';
import { read, textOf, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import type { TestWebhooks } from './support/webhooks.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeDeliveries(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('deliveries', () => {
    let system: TestSystem;
    let gateway: TestGateway;
    let webhooks: TestWebhooks;
    let kafka: Kafka;
    let producer: EventProducer;
    let receiver: Server;
    let status: number;
    let received: { path: string | undefined; headers: IncomingHttpHeaders }[];

    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
    const hostile = '<script>alert("x")</script>';

    beforeAll(async () => {
      system = shared();
      gateway = sharedGateway();
      webhooks = gateway.webhooks as TestWebhooks;
      kafka = createKafka(kafkaOptions(system.namespace));
      producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
      receiver = createServer((request, response) => {
        received.push({ path: request.url, headers: request.headers });
        request.resume().on('end', () => response.writeHead(status).end(hostile));
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    }, 60_000);
    afterAll(async () => {
      receiver.close();
      await producer.close();
      await kafka.close();
    });
    beforeEach(() => {
      [status, received] = [500, []];
    });

    /** A workspace with an endpoint of the receiver, with a header of its own. */
    async function startWorkspace() {
      const world = await startStoresWorkspace(system);
      const { workspaceId, home } = world;
      const members = {
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${workspaceId}`,
        eventTypes: ['scan.completed', 'scan.failed'],
        description: '',
        watchlistIds: [],
        headers: [{ name: 'x-own', value: 'own-secret' }],
        filters: undefined,
        maxPerMinute: undefined,
      };
      const request = { workspaceId, quota: 5, requestToken: '', members };
      const { endpoint, secret } = await webhooks.client.createEndpoint(request, { origin });
      return { ...world, base: `${home}/webhooks`, endpointId: endpoint?.id ?? '', url: members.url, secret };
    }
    type World = Awaited<ReturnType<typeof startWorkspace>>;

    let scans = 0;

    /** The ids of the messages that the endpoint of the workspace got. */
    const receivedIds = ({ workspaceId }: World) =>
      received.filter(({ path }) => path === `/${workspaceId}`).map(({ headers }) => headers['webhook-id']);

    /** Ends a scan of the workspace. Its event becomes a delivery. Returns the delivery after an attempt. */
    async function deliver({ workspaceId }: World) {
      scans += 1;
      const event = ScanJobEnded.fromPartial({
        jobId: `job_01kandxv3w9p4nsbq7g8e2h${String(scans).padStart(3, '0')}`,
        workspaceId,
        domain: `shop-${scans}.example`,
        state: ScanJobEndState.SUCCEEDED,
        endedAtMs: Date.now(),
        scanId: `scan_01kandxv3w9p4nsbq7g8e2h${String(scans).padStart(3, '0')}`,
      });
      await producer.publish(scanJobEnded.live, event, origin, { timeoutMs: 60_000 });
      return waitUntil('the delivery was tried', async () => {
        const { deliveries } = await listed(workspaceId);
        const [latest] = deliveries;
        return deliveries.length > 0 && latest?.attempts.length ? latest : undefined;
      });
    }

    const listed = (workspaceId: string, state?: DeliveryState) =>
      webhooks.client.listDeliveries(
        {
          workspaceId,
          endpointId: '',
          eventId: '',
          states: state === undefined ? [] : [state],
          fromMs: undefined,
          toMs: undefined,
          after: undefined,
          limit: 50,
        },
        { origin },
      );

    describe('deliveries of webhooks', () => {
      it('a delivery shows each attempt, the message and the headers, without secrets and with the response as text', async () => {
        const world = await startWorkspace();
        const { member, base, secret, url, endpointId } = world;
        expect(await read(await member.get(`${base}/deliveries`))).toContain('No deliveries yet');
        const { id, eventId } = await deliver(world);

        const list = await read(await member.get(`${base}/deliveries`));
        for (const text of ['scan.completed', 'Retrying', '500', url.slice(0, 38)]) expect(list).toContain(text);
        const html = await (await member.get(`${base}/deliveries/${id}`)).text();
        expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
        expect(html).not.toContain(hostile);
        for (const hidden of [secret, 'own-secret', 'v1,[A-Za-z0-9]']) expect(html).not.toMatch(new RegExp(hidden));
        for (const shown of [
          'x-own: ***',
          `webhook-id: ${eventId}`,
          'webhook-signature: v1,…',
          '&quot;sequence&quot;: 1',
        ]) {
          expect(html).toContain(shown);
        }
        expect(await read(await member.get(`${base}/deliveries?webhook=${endpointId}`))).toContain('scan.completed');
      });

      it('deliveries are filtered by webhook, state, event and time', async () => {
        const world = await startWorkspace();
        const { member, base, endpointId } = world;
        const { id, eventId } = await deliver(world);
        const page = async (query: string) => (await member.get(`${base}/deliveries?${query}`)).text();
        for (const query of [`webhook=${endpointId}`, 'state=retrying', `event=${eventId}`, 'time=1h']) {
          expect(await page(query)).toContain(`/deliveries/${id}"`);
        }
        for (const query of ['state=succeeded', 'event=evt_1']) {
          const html = await page(query);
          expect(html).not.toContain(`/deliveries/${id}"`);
          expect(html).toContain('Show all deliveries');
        }
        expect((await member.get(`${base}/deliveries?webhook=whk_1`)).status).toBe(404);
      });

      it('an admin has a delivery sent again with the same webhook-id, and a member cannot', async () => {
        const world = await startWorkspace();
        const { admin, member, base, workspaceId } = world;
        const { id, eventId } = await deliver(world);
        const path = `${base}/deliveries/${id}`;
        expect(await (await member.get(path)).text()).not.toContain('Retry now');
        expect((await member.submit(path, {})).status).toBe(403);
        status = 200;
        const response = await admin.submit(path, {});
        expect([response.status, response.headers.get('location')]).toEqual([302, path]);
        await waitUntil('the delivery has succeeded', async () => {
          const { deliveries } = await listed(workspaceId, DeliveryState.SUCCEEDED);
          return deliveries.length > 0;
        });
        expect(await read(await admin.get(path))).toMatch(/State Succeeded/);
        expect(new Set(receivedIds(world))).toEqual(new Set([eventId]));
      });

      it('a delivery to a paused or deleted webhook stays readable, and says why it cannot be sent again', async () => {
        const world = await startWorkspace();
        const { admin, base, workspaceId, endpointId } = world;
        const { id } = await deliver(world);
        const path = `${base}/deliveries/${id}`;
        const ref = { workspaceId, endpointId };
        await webhooks.client.updateEndpoint(
          UpdateEndpointRequest.fromPartial({ ...ref, state: EndpointState.PAUSED }),
          {
            origin,
          },
        );
        const html = await (await admin.get(path)).text();
        expect(html).toMatch(/<button[^>]*disabled[^>]*>Retry now/);
        expect(html).toContain('The webhook is paused.');
        const refused = await admin.submit(path, {});
        expect(refused.status).toBe(400);
        expect(await read(refused)).toContain('the webhook is paused');
        await webhooks.client.deleteEndpoint(ref, { origin });
        const page = await read(await admin.get(path));
        expect(page).toContain('The webhook is deleted.');
        expect(page).toContain('500');
      });

      it('a delivery of another workspace does not exist', async () => {
        const world = await startWorkspace();
        const { id } = await deliver(world);
        const other = await startWorkspace();
        for (const path of [`deliveries/${id}`, `deliveries/${id}/status`, 'deliveries/none']) {
          expect([path, (await other.admin.get(`${other.base}/${path}`)).status]).toEqual([path, 404]);
        }
        expect((await other.admin.submit(`${other.base}/deliveries/${id}`, {})).status).toBe(404);
        expect((await other.admin.get(`${other.base}/${world.endpointId}/replay`)).status).toBe(404);
      });
    });

    describe('replays', () => {
      /** The form of a replay, as its page has it. */
      async function formOf({ admin, base, endpointId }: World) {
        const path = `${base}/${endpointId}/replay`;
        const html = await (await admin.get(path)).text();
        const value = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? '';
        const form = { token: tokenIn(html), from: value('from'), to: value('to'), only: 'all' };
        return { path, form, first: /min="([^"]+)"[^>]*name="from"/.exec(html)?.[1] ?? '' };
      }

      it('a replay sends the events of a time again, once per form, and is among the jobs with its progress', async () => {
        status = 200;
        const world = await startWorkspace();
        const { admin, home } = world;
        const { eventId } = await deliver(world);
        expect((await world.member.get(`${world.base}/${world.endpointId}/replay`)).status).toBe(403);
        const { path, form } = await formOf(world);
        const started = await admin.submit(path, form);
        const job = started.headers.get('location') ?? '';
        expect(job).toMatch(/\/jobs\/job_o\w+$/);
        expect((await admin.submit(path, form)).headers.get('location')).toBe(job);
        await expect.poll(() => receivedIds(world)).toEqual([eventId, eventId]);
        await expect.poll(async () => read(await admin.get(job))).toContain('1 of 1 event Succeeded');
        const jobs = await read(await admin.get(`${home}/jobs?type=replay`));
        expect(jobs).toContain('Replay of 1 event');
        expect(jobs.match(/Replay of 1 event/g)).toHaveLength(1);
        expect(await read(await admin.get(`${home}/jobs`))).toContain('Replay of 1 event');
      });

      it('a replay begins at the earliest minute that its page offers', async () => {
        const world = await startWorkspace();
        const { path, form, first } = await formOf(world);
        expect((await world.admin.submit(path, { ...form, from: first })).headers.get('location')).toMatch(
          /\/jobs\/job_o/,
        );
      });

      it('a replay whose times are wrong says so at the field, and keeps what was typed', async () => {
        const world = await startWorkspace();
        const { path, form } = await formOf(world);
        for (const [fields, text] of [
          [{ ...form, from: 'yesterday' }, 'Enter a day and a time'],
          [{ ...form, from: '2999-01-01T00:00' }, 'must not be before from'],
          [{ ...form, from: '2020-01-01T00:00' }, 'must be at most 30 days before to'],
        ] as const) {
          const response = await world.admin.submit(path, fields);
          expect(response.status).toBe(400);
          const html = await response.text();
          expect(textOf(html)).toContain(text);
          expect(/<input[^>]*value="all"[^>]*>/.exec(html)?.[0]).toContain('checked');
        }
        expect((await world.member.submit(path, form)).status).toBe(403);
      });

      it('a replay that waits is canceled on its page', async () => {
        const world = await startWorkspace();
        const { path, form } = await formOf(world);
        // Without subscriptions, a replay cannot read its events.
        await gateway.subscriptions?.stop();
        const job = (await world.admin.submit(path, form)).headers.get('location') ?? '';
        expect(await read(await world.admin.get(job))).toContain('Cancel the job');
        expect(await read(await world.member.get(job))).not.toContain('Cancel the job');
        expect((await world.member.submit(job, {})).status).toBe(403);
        expect((await world.admin.submit(job, {})).headers.get('location')).toBe(job);
        expect(await read(await world.admin.get(job))).toContain('Deliveries that were not tried are withdrawn.');
      });
    });
  });
}
