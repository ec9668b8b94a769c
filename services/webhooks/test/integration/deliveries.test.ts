import { createHmac } from 'node:crypto';
import { dayMs, hourMs, minuteMs, secondMs } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endClosedDeliveries } from '../../src/operations/deliveries/end-deliveries.ts';
import { rotateSecret } from '../../src/operations/rotate-secret.ts';
import { updateEndpoint } from '../../src/operations/update-endpoint.ts';
import { context, live, newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

describe('deliveries', () => {
  let system: WebhooksSystem;
  let workspaceId: string;
  beforeAll(async () => {
    system = await startWebhooksSystem('deliveries');
  });
  afterAll(() => system?.stop());
  beforeEach(async () => {
    await system.reset();
    workspaceId = newWorkspaceId();
  });
  const only = async () => {
    const [delivery, ...more] = await system.deliveries(workspaceId);
    expect(more).toEqual([]);
    return system.delivery(workspaceId, delivery?._id ?? '');
  };

  it('an event becomes one delivery per endpoint, which is sent once and signed', async () => {
    const { secret } = await system.newEndpoint(workspaceId);
    const event = system.newEvent(workspaceId);
    await system.receive(event, event);
    await system.receive(event);
    await system.drain();
    expect(system.requests).toHaveLength(1);
    const [{ headers, body, url }] = system.requests as [(typeof system.requests)[number]];
    expect(url).toBe('https://hooks.example/a');
    expect(JSON.parse(body)).toEqual({
      type: 'scan.completed',
      timestamp: new Date(event.createdAtMs).toISOString(),
      data: { job_id: 'job_1' },
      sequence: 1,
      environment: 'live',
    });
    const signed = `${event.id}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers).toMatchObject({
      'webhook-id': event.id,
      'webhook-signature': `v1,${signature}`,
      'user-agent': 'Shopscope-Webhooks/1',
    });
    expect(await only()).toMatchObject({ state: 'succeeded', dueAt: null, attempts: [{ status: 200, error: null }] });
  });

  it('a delivery has ten attempts at the times of the schedule, and then fails', async () => {
    await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 500 });
    await system.receive(system.newEvent(workspaceId));
    const startMs = system.clock.now();
    await system.drain();
    for (let delivery = await only(); delivery.dueAt; delivery = await only()) {
      expect(delivery.state).toBe('retrying');
      const waitMs = delivery.dueAt.getTime() - system.clock.now();
      system.clock.advance(waitMs - 1);
      await system.drain();
      expect((await only()).attempts).toHaveLength(delivery.attempts.length);
      system.clock.advance(1);
      await system.drain();
    }
    const delivery = await only();
    expect(delivery.state).toBe('failed');
    const pausesMs = [
      0,
      5 * secondMs,
      5 * minuteMs,
      30 * minuteMs,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      14 * hourMs,
      20 * hourMs,
      24 * hourMs,
    ];
    const sums = pausesMs.map((_, index) => pausesMs.slice(0, index + 1).reduce((sum, pauseMs) => sum + pauseMs, 0));
    expect(delivery.attempts.map(({ at }) => at.getTime() - startMs)).toEqual(sums);
  });

  it('an endpoint has at most ten attempts in flight, over all instances', async () => {
    await system.newEndpoint(workspaceId);
    const release = Promise.withResolvers<object>();
    system.system.answer = () => release.promise;
    await system.receive(...Array.from({ length: 35 }, () => system.newEvent(workspaceId)));
    const other = system.instance();
    await Promise.all([system.dispatcher.run(), other.dispatcher.run()]);
    await Promise.all([system.dispatcher.run(), other.dispatcher.run()]);
    expect(system.requests).toHaveLength(10);
    expect(system.dispatcher.inFlight + other.dispatcher.inFlight).toBe(10);
    release.resolve({});
    await Promise.all([system.dispatcher.settled(), other.dispatcher.settled()]);
    await Promise.all([system.drain(), system.drain(other)]);
    expect(system.requests).toHaveLength(35);
    expect(new Set(system.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(35);
  });

  it('an endpoint has at most max_per_minute attempts in a minute, over all instances', async () => {
    await system.newEndpoint(workspaceId, { maxPerMinute: 3 });
    await system.receive(...Array.from({ length: 8 }, () => system.newEvent(workspaceId)));
    system.clock.advance(minuteMs - (system.clock.now() % minuteMs));
    const other = system.instance();
    const counts: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      await Promise.all([system.drain(), system.drain(other)]);
      system.clock.advance(minuteMs - 1);
      await Promise.all([system.drain(), system.drain(other)]);
      counts.push(system.requests.length);
      system.clock.advance(1);
    }
    expect(counts).toEqual([3, 6, 8]);
  });

  it('410 disables the endpoint at once, ends its deliveries and tells the workspace', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 410 });
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    expect(system.requests).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'failed', dueAt: null });
    const published = await system.published();
    expect(published).toMatchObject([{ type: 'webhook.disabled', workspaceId, related: { id: endpoint.id } }]);
  });

  it('the attempt that got 410 is in its delivery, even if the timer ends the deliveries at the same time', async () => {
    const { deps, dispatcher } = system.instance({
      replace: (own) => ({
        ...own,
        async transact(work, context) {
          const result = await own.transact(work, context);
          await endClosedDeliveries(system.deps);
          return result;
        },
      }),
    });
    await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 410 });
    await system.receive(system.newEvent(workspaceId));
    await system.drain({ deps, dispatcher });
    expect(await only()).toMatchObject({ state: 'failed', dueAt: null, attempts: [{ status: 410 }] });
  });

  it('410 of a URL that was replaced during the attempt does not disable the endpoint', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    system.system.answer = async () => {
      const members = { url: 'https://hooks.example/new' };
      await updateEndpoint(system.deps, live(workspaceId), { id: endpoint.id, members }, context());
      return { status: 410 };
    };
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    system.system.answer = () => ({});
    system.clock.advance(6 * secondMs);
    await system.drain();
    expect(system.requests.map(({ url }) => url)).toEqual(['https://hooks.example/a', 'https://hooks.example/new']);
    expect(await only()).toMatchObject({ state: 'succeeded', attempts: [{ status: 410 }, { status: 200 }] });
  });

  it('an endpoint that answers 500 is reported after 24 hours and disabled after 5 days', async () => {
    await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 500 });
    const startMs = system.clock.now();
    const told: [string, number][] = [];
    for (const hour of [0, 12, 23, 24, 60, 96, 119, 120]) {
      system.clock.advance(startMs + hour * hourMs - system.clock.now());
      await system.receive(system.newEvent(workspaceId));
      await system.drain();
      const published = await system.published();
      for (const { type } of published.slice(told.length)) told.push([type, system.clock.now() - startMs]);
    }
    expect(told).toEqual([
      ['webhook.failing', dayMs],
      ['webhook.disabled', 5 * dayMs],
    ]);
  });

  it('a success forgets the failures before it', async () => {
    await system.newEndpoint(workspaceId);
    for (let hour = 0; hour <= 6 * 24; hour += 4) {
      // The endpoint succeeds every 20 hours.
      system.system.answer = () => ({ status: hour % 20 === 16 ? 200 : 500 });
      await system.receive(system.newEvent(workspaceId));
      await system.drain();
      system.clock.advance(4 * hourMs);
    }
    expect(await system.published()).toEqual([]);
  });

  it('both secrets sign during the overlap of a rotation, and only the new one afterwards', async () => {
    const { endpoint, secret: old } = await system.newEndpoint(workspaceId);
    const rotate = (overlapHours: number) =>
      rotateSecret(system.deps, live(workspaceId), { id: endpoint.id, overlapHours, requestToken: '' }, context());
    const signers = async (...secrets: string[]) => {
      system.requests.length = 0;
      await system.receive(system.newEvent(workspaceId));
      await system.drain();
      const [{ headers, body }] = system.requests as [(typeof system.requests)[number]];
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const signatures = secrets.map((secret) => {
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
        return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      });
      expect(headers['webhook-signature']).toBe(signatures.join(' '));
    };
    const { secret: second } = await rotate(24);
    await signers(second, old);
    system.clock.advance(24 * hourMs - 1);
    await signers(second, old);
    system.clock.advance(1);
    await signers(second);
    const { secret: third } = await rotate(168);
    const { secret: fourth } = await rotate(168);
    await signers(fourth, third);
  });

  it('the deliveries of a paused endpoint wait, and come when it is resumed', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const set = (state: 'active' | 'paused') =>
      updateEndpoint(system.deps, live(workspaceId), { id: endpoint.id, members: {}, state }, context());
    await set('paused');
    await system.receive(system.newEvent(workspaceId), system.newEvent(workspaceId));
    await system.drain();
    expect(system.requests).toHaveLength(0);
    system.clock.advance(20 * dayMs);
    await set('active');
    await system.drain();
    expect(system.requests).toHaveLength(2);
  });
});
