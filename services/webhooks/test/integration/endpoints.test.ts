import { dayMs, minuteMs } from '@shopscope/clock';
import { recordDeletion } from '@shopscope/workspace-deletion';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVault } from '../../src/domain/vault.ts';
import { tick } from '../../src/inbound/timer/tick.ts';
import { deleteEndpoint } from '../../src/operations/delete-endpoint.ts';
import { disableEndpoint } from '../../src/operations/deliveries/change-health.ts';
import { endClosedDeliveries } from '../../src/operations/deliveries/end-deliveries.ts';
import { listDeliveries } from '../../src/operations/deliveries/find-delivery.ts';
import { retryDelivery } from '../../src/operations/deliveries/retry-delivery.ts';
import type { Dependencies, EveryEnvironment } from '../../src/operations/dependencies.ts';
import { listEndpoints, showEndpoint } from '../../src/operations/find-endpoint.ts';
import { resealEndpoints } from '../../src/operations/reseal-endpoints.ts';
import { resetTestEndpoints } from '../../src/operations/reset-test-endpoints.ts';
import { rotateSecret } from '../../src/operations/rotate-secret.ts';
import { testEndpoint } from '../../src/operations/test-endpoint.ts';
import { updateEndpoint } from '../../src/operations/update-endpoint.ts';
import { environmentCollections } from '../../src/outbound/mongo/stores.ts';
import { context, live, newWorkspaceId, startWebhooksSystem, storageSecret, type WebhooksSystem } from './harness.ts';

describe('endpoints', () => {
  let system: WebhooksSystem;
  let workspaceId: string;
  beforeAll(async () => {
    system = await startWebhooksSystem('endpoints');
  });
  afterAll(() => system?.stop());
  beforeEach(async () => {
    await system.reset();
    workspaceId = newWorkspaceId();
  });
  const tenant = () => live(workspaceId);
  const everything = {
    endpointId: '',
    eventId: '',
    states: [],
    from: undefined,
    to: undefined,
    after: undefined,
    limit: 200,
  };

  it('concurrent calls of two instances never exceed the quota, and one token creates one endpoint whose secret is shown once', async () => {
    const instances = [system.instance(), system.instance()].map(({ deps }) => deps);
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => system.newEndpoint(workspaceId, { quota: 3 }, instances[n % 2])),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refusal = { status: 'rejected', reason: { code: 'invalid_request', details: { field: 'webhooks' } } };
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject(refusal);
    const token = { requestToken: 'once' };
    const created = await Promise.all(instances.map((deps) => system.newEndpoint(workspaceId, token, deps)));
    created.sort((a, b) => b.secret.length - a.secret.length);
    const [first, again] = created as [(typeof created)[0], (typeof created)[0]];
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(again).toEqual({ endpoint: first.endpoint, secret: '' });
    system.clock.advance(dayMs);
    expect((await system.newEndpoint(workspaceId, token)).endpoint.id).not.toBe(first.endpoint.id);
  });

  it('a URL whose name is not resolved in time is an invalid request', async () => {
    const sender = { ...system.deps.sender, checkUrl: async () => 'timeout' as const };
    await expect(system.newEndpoint(workspaceId, {}, { ...system.deps, sender })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'url' },
      publicMessage: expect.stringContaining('could not be resolved in time'),
    });
  });

  it('an endpoint shows its failures since the latest success, and when that was', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const health = async () => (await showEndpoint(system.deps, tenant(), endpoint.id, context())).health;
    expect(endpoint.health).toEqual({ streak: null, lastSuccessAt: null });
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    const lastSuccessAt = new Date(system.clock.now());
    system.system.answer = () => ({ status: 500 });
    system.clock.advance(minuteMs);
    const since = new Date(system.clock.now());
    await system.receive(system.newEvent(workspaceId), system.newEvent(workspaceId));
    await system.drain();
    expect(await health()).toEqual({ streak: { since, failed: 2, isTold: false }, lastSuccessAt });
    const { rows } = await listEndpoints(system.deps, tenant(), { afterId: '', limit: 1 }, context());
    expect(rows).toMatchObject([{ health: { streak: { failed: 2 }, lastSuccessAt } }]);
  });

  it('an endpoint has no failures any more when it becomes active again or gets another URL', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const { id, url } = endpoint;
    system.system.answer = () => ({ status: 500 });
    const update = async (update: Omit<Parameters<typeof updateEndpoint>[2], 'id'>) => {
      await system.receive(system.newEvent(workspaceId));
      await system.drain();
      return (await updateEndpoint(system.deps, tenant(), { id, ...update }, context())).health.streak?.failed ?? 0;
    };
    expect(await update({ members: { url } })).toBe(1);
    expect(await update({ members: { description: 'still failing' } })).toBe(2);
    expect(await update({ members: { url: `${url}/moved` } })).toBe(0);
    expect(await update({ members: {}, state: 'paused' })).toBe(1);
    expect(await update({ members: {}, state: 'active' })).toBe(0);
  });

  it('a run of the timer ends deliveries of closed endpoints for 10 seconds, of each endpoint some, and the next runs continue', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { endpoint } = await system.newEndpoint(workspaceId);
      await disableEndpoint(system.deps, { ...tenant(), id: endpoint.id }, 'gone');
      ids.push(endpoint.id);
    }
    const batches = new Map(ids.map((id) => [id, 0]));
    const deliveries: typeof system.deps.deliveries = {
      ...system.deps.deliveries,
      async endSome({ id }, limit) {
        const ended = batches.get(id) ?? 0;
        batches.set(id, ended + 1);
        system.clock.advance(500);
        return ended < 15 ? limit : 0;
      },
    };
    const run = async () => {
      const startMs = system.clock.monotonicMs();
      await endClosedDeliveries({ ...system.deps, deliveries });
      return system.clock.monotonicMs() - startMs;
    };
    expect(await run()).toBeLessThanOrEqual(11_000);
    expect(Math.min(...batches.values())).toBeGreaterThan(0);
    for (let n = 0; n < 4; n++) await run();
    expect(Math.min(...batches.values())).toBeGreaterThan(15);
  });

  it('a page has 1 to 200 rows, the newest endpoint first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      system.clock.advance(1);
      ids.unshift((await system.newEndpoint(workspaceId)).endpoint.id);
    }
    const page = (afterId: string, limit: number) =>
      listEndpoints(system.deps, tenant(), { afterId, limit }, context());
    const { rows, hasMore } = await page('', 2);
    expect([rows.map(({ id }) => id), hasMore]).toEqual([ids.slice(0, 2), true]);
    expect((await page(ids[1] as string, 2)).rows.map(({ id }) => id)).toEqual(ids.slice(2));
    for (const limit of [0, 201]) await expect(page('', limit)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('no secret and no value of a header is stored in clear, and both move to a new storage secret', async () => {
    const headers = [{ name: 'authorization', value: 'Bearer hunter2' }];
    const { endpoint, secret } = await system.newEndpoint(workspaceId, { headers });
    const stored = async () => JSON.stringify(await system.db.collection('endpoints').find({}).toArray());
    expect(endpoint.headerNames).toEqual(['authorization']);
    expect(await stored()).not.toContain(secret.slice('whsec_'.length));
    expect(await stored()).not.toContain('hunter2');
    const rotated = system.instance({ vault: createVault([storageSecret('b'), storageSecret('a')]) });
    await resealEndpoints(rotated.deps);
    expect(JSON.parse(await stored())[0].sealed.keyId).toBe('b');
    const onlyNew = system.instance({ vault: createVault([storageSecret('b')]) });
    await system.receive(system.newEvent(workspaceId));
    await system.drain(onlyNew);
    expect(system.requests[0]?.headers).toMatchObject({ authorization: 'Bearer hunter2' });
    expect((await system.deliveries(workspaceId))[0]?.state).toBe('succeeded');
  });

  it('a rotation with one token happens once', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const rotate = () =>
      rotateSecret(system.deps, tenant(), { id: endpoint.id, overlapHours: 1, requestToken: 'once' }, context());
    expect((await rotate()).secret).toMatch(/^whsec_/);
    expect((await rotate()).secret).toBe('');
  });

  it('a rotation with one token happens once within 24 hours, even if another token rotates after it', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const rotate = async (requestToken: string) => {
      const request = { id: endpoint.id, overlapHours: 1, requestToken };
      return (await rotateSecret(system.deps, tenant(), request, context())).secret !== '';
    };
    expect([await rotate('first'), await rotate('second')]).toEqual([true, true]);
    system.clock.advance(dayMs - 1);
    expect([await rotate('first'), await rotate('second')]).toEqual([false, false]);
    system.clock.advance(1);
    expect(await rotate('first')).toBe(true);
  });

  it('a changed URL and changed filters apply to waiting deliveries and to later events', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId));
    const members = { url: 'https://hooks.example/new', eventTypes: ['scan.failed' as const] };
    await updateEndpoint(system.deps, tenant(), { id: endpoint.id, members }, context());
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    expect(system.requests.map(({ url }) => url)).toEqual(['https://hooks.example/new']);
    const update = updateEndpoint(
      system.deps,
      tenant(),
      { id: endpoint.id, members: { url: 'http://a.example' } },
      context(),
    );
    await expect(update).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'url' } });
  });

  it('a deleted endpoint gets no further attempt, and its deliveries end and stay readable for 30 days', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId), system.newEvent(workspaceId));
    await deleteEndpoint(system.deps, tenant(), endpoint.id, context());
    await system.drain();
    expect(system.requests).toEqual([]);
    const list = (endpointId: string) =>
      listDeliveries(system.deps, tenant(), { ...everything, endpointId }, context());
    const { rows } = await list(endpoint.id);
    expect(rows).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    const retry = retryDelivery(system.deps, tenant(), rows[0]?.id as string, context());
    await expect(retry).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'state' } });
    await expect(list('whk_01kandxv3w9p4nsbq7g8e2hm5t')).rejects.toMatchObject({ code: 'not_found' });
    system.clock.advance(30 * dayMs);
    expect((await list('')).rows).toEqual([]);
  });

  it('the deliveries that an endpoint gets after it is active again are not ended', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const ref = { ...tenant(), id: endpoint.id };
    await disableEndpoint(system.deps, ref, 'gone');
    // The timer has read the closing before the endpoint becomes active.
    const stale = await system.deps.closings.list(10, 60_000);
    await updateEndpoint(system.deps, tenant(), { id: endpoint.id, members: {}, state: 'active' }, context());
    await system.receive(system.newEvent(workspaceId));
    const closings = { ...system.deps.closings, list: async () => stale };
    await endClosedDeliveries({ ...system.deps, closings });
    await system.drain();
    expect((await system.deliveries(workspaceId)).map(({ state }) => state)).toEqual(['succeeded']);
  });

  it('the timer forgets a deleted endpoint only when none of its deliveries is open', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId));
    await disableEndpoint(system.deps, { ...tenant(), id: endpoint.id }, 'gone');
    system.clock.advance(4 * minuteMs);
    // A run that has no time left ends nothing.
    const { clock } = system;
    const slow = {
      ...system.deps.closings,
      hold: async () => {
        clock.advance(minuteMs);
        return true;
      },
    };
    const deliveries = { ...system.deps.deliveries, endSome: async () => 500 };
    await endClosedDeliveries({ ...system.deps, closings: slow, deliveries });
    await endClosedDeliveries(system.deps);
    expect((await system.deliveries(workspaceId)).map(({ state }) => state)).toEqual(['failed']);
    expect(await system.deps.closings.list(10, 60_000)).toEqual([]);
  });

  it('a test message is sent at once, signed and marked, and is no delivery', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 418, body: Buffer.from('<b>teapot</b>\u0000\n'.repeat(200)) });
    const request = { endpointId: endpoint.id, eventType: 'scan.completed', data: '{"job_id":"job_1"}' };
    const { attempt, body } = await testEndpoint(system.deps, tenant(), request, context());
    expect(JSON.parse(body)).toMatchObject({ type: 'scan.completed', test: true, data: { job_id: 'job_1' } });
    expect(JSON.parse(body)).not.toHaveProperty('sequence');
    expect(attempt).toMatchObject({ status: 418, error: null });
    expect(Buffer.byteLength(attempt.excerpt)).toBeLessThanOrEqual(1_024);
    expect(attempt.excerpt).not.toMatch(/\p{Cc}/u);
    expect(system.requests[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(await system.deliveries(workspaceId)).toEqual([]);
  });

  it('an endpoint that is paused refuses a retry and names its state', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    await updateEndpoint(system.deps, tenant(), { id: endpoint.id, members: {}, state: 'paused' }, context());
    const [{ _id: id } = { _id: '' }] = await system.deliveries(workspaceId);
    const retry = retryDelivery(system.deps, tenant(), id, context());
    await expect(retry).rejects.toMatchObject({
      code: 'invalid_request',
      publicMessage: expect.stringContaining('paused'),
    });
  });

  it('an endpoint that is created during a reset, after the deletion of the others, delivers', async () => {
    await system.newEndpoint(workspaceId);
    const created: string[] = [];
    const { deps } = system.instance({
      replace: (own) => ({
        ...own,
        async transact(work, options) {
          const result = await own.transact(work, options);
          created.push((await system.newEndpoint(workspaceId)).endpoint.id);
          return result;
        },
      }),
    });
    // The harness has the operations of live mode only.
    await resetTestEndpoints(deps as unknown as Dependencies<'test'>, tenant() as never, context());
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    expect(system.requests).toHaveLength(1);
    const queues = await system.db.collection<{ _id: string }>('queues').find({}).toArray();
    expect(queues.map(({ _id }) => _id)).toEqual(created);
  });

  it('a deleted workspace has no document left, and another one keeps its own', async () => {
    const stranger = newWorkspaceId();
    for (const each of [workspaceId, stranger]) {
      await system.newEndpoint(each);
      await system.receive(system.newEvent(each), system.newEvent(each));
    }
    await recordDeletion(system.deps, tenant(), new Date(system.clock.now()));
    const every = { live: system.deps, test: system.deps } as unknown as EveryEnvironment;
    await tick(every);
    await expect(system.newEndpoint(workspaceId)).rejects.toMatchObject({ code: 'not_found' });
    for (let n = 0; n < 5; n++) {
      system.clock.advance(minuteMs);
      await tick(every);
    }
    const left: string[] = [];
    for (const name of Object.keys(environmentCollections)) {
      const documents = await system.db.collection(name).find({}).toArray();
      if (documents.some((document) => JSON.stringify(document).includes(workspaceId))) left.push(name);
    }
    expect(left).toEqual(['deleted_workspaces']);
    await system.drain();
    expect(system.requests).toHaveLength(2);
  });
});
