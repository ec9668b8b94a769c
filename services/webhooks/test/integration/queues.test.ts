import { minuteMs } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDelivery } from '../../src/operations/deliveries/find-delivery.ts';
import { retryDelivery } from '../../src/operations/deliveries/retry-delivery.ts';
import { context, live, newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

describe('queues of endpoints', () => {
  let system: WebhooksSystem;
  let workspaceId: string;
  beforeAll(async () => {
    system = await startWebhooksSystem('queues');
  });
  afterAll(() => system?.stop());
  beforeEach(async () => {
    await system.reset();
    workspaceId = newWorkspaceId();
  });

  it('an endpoint that hangs with many queued events delays no other endpoint, and no other workspace', async () => {
    const others = [workspaceId, newWorkspaceId()];
    await system.newEndpoint(workspaceId, { url: 'https://hooks.example/hangs' });
    for (const each of others) await system.newEndpoint(each, { url: 'https://hooks.example/healthy' });
    const hang = Promise.withResolvers<object>();
    system.system.answer = ({ url }) => (url.endsWith('hangs') ? hang.promise : {});
    await system.receive(...Array.from({ length: 500 }, () => system.newEvent(workspaceId)));
    await system.dispatcher.run();
    const healthy = () => system.requests.filter(({ url }) => url.endsWith('healthy')).length;
    while (await system.dispatcher.run()) await Promise.resolve();
    const before = healthy();
    await system.receive(...others.map((each) => system.newEvent(each)));
    await system.dispatcher.run();
    expect(system.requests.filter(({ url }) => url.endsWith('hangs'))).toHaveLength(10);
    // The events of a workspace with two endpoints are sent to the healthy one without a wait for the other one.
    expect(before).toBeGreaterThan(0);
    expect(system.requests.map(({ headers }) => headers['webhook-id'])).toContain(
      (await system.deliveries(others[1] as string))[0]?.eventId,
    );
    hang.resolve({});
    await system.dispatcher.settled();
  });

  it('an endpoint with ten failures has one attempt at a time until one succeeds', async () => {
    await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 500 });
    await system.receive(...Array.from({ length: 10 }, () => system.newEvent(workspaceId)));
    await system.drain();
    const slow = Promise.withResolvers<object>();
    system.system.answer = () => slow.promise;
    await system.receive(...Array.from({ length: 30 }, () => system.newEvent(workspaceId)));
    await system.dispatcher.run();
    expect(system.dispatcher.inFlight).toBe(1);
    slow.resolve({});
    await system.dispatcher.settled();
    const later = Promise.withResolvers<object>();
    system.system.answer = () => later.promise;
    await system.dispatcher.run();
    expect(system.dispatcher.inFlight).toBe(10);
    later.resolve({});
    await system.drain();
  });

  it('a workspace has at most a quarter of the attempts of an instance', async () => {
    const instance = system.instance({ maxAttempts: 80 });
    for (let n = 0; n < 5; n++) await system.newEndpoint(workspaceId);
    const other = newWorkspaceId();
    await system.newEndpoint(other);
    const hang = Promise.withResolvers<object>();
    system.system.answer = () => hang.promise;
    await system.receive(...Array.from({ length: 12 }, () => system.newEvent(workspaceId)));
    await system.receive(system.newEvent(other));
    for (let n = 0; n < 5; n++) await instance.dispatcher.run();
    expect(instance.dispatcher.inFlight).toBe(21);
    hang.resolve({});
    await instance.dispatcher.settled();
    await system.drain();
    expect(system.requests).toHaveLength(61);
  });

  it('endpoints with many failures have at most half of the attempts of an instance, however many wait', async () => {
    const instance = system.instance({ maxAttempts: 20 });
    const failing = Array.from({ length: 15 }, newWorkspaceId);
    for (const each of failing) await system.newEndpoint(each, { url: 'https://hooks.example/hangs' });
    const streak = { since: new Date(system.clock.now()), failed: 10, isTold: false };
    await system.db.collection('queues').updateMany({}, { $set: { streak, isSlow: true } });
    await system.newEndpoint(workspaceId, { url: 'https://hooks.example/healthy' });
    const hang = Promise.withResolvers<object>();
    system.system.answer = () => hang.promise;
    await system.receive(...failing.map((each) => system.newEvent(each)));
    for (let n = 0; n < 3; n++) await instance.dispatcher.run();
    expect(system.requests.map(({ url }) => url)).toEqual(Array(10).fill('https://hooks.example/hangs'));
    await system.receive(...Array.from({ length: 10 }, () => system.newEvent(workspaceId)));
    for (let n = 0; n < 3; n++) await instance.dispatcher.run();
    expect(system.requests.filter(({ url }) => url.endsWith('healthy'))).toHaveLength(10);
    hang.resolve({});
    await instance.dispatcher.settled();
    await system.drain(instance);
    expect(system.requests).toHaveLength(25);
  });

  it('the searches of the dispatcher read index keys only for what they return, whatever is queued', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const now = new Date(system.clock.now());
    const base = { workspaceId, endpointId: endpoint.id, lane: 0, createdAt: now, state: 'pending' };
    const documents = Array.from({ length: 20_000 }, (_, n) => ({ _id: `dlv_${n}` as never, ...base, dueAt: now }));
    await system.db.collection('deliveries').insertMany(documents);
    const due = { workspaceId, endpointId: endpoint.id, lane: 0, dueAt: { $type: 'date' } };
    const explained = await system.db
      .collection('deliveries')
      .find(due, { hint: 'due' })
      .sort({ dueAt: 1 })
      .limit(11)
      .explain('executionStats');
    expect(explained.executionStats).toMatchObject({ nReturned: 11, totalKeysExamined: 11, totalDocsExamined: 11 });
    expect(JSON.stringify(explained.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
    const ready = await system.db
      .collection('queues')
      .find({ isSlow: false, state: 'active', readyAt: { $type: 'date', $lte: now } }, { hint: 'ready' })
      .sort({ readyAt: 1 })
      .limit(500)
      .explain('executionStats');
    expect(ready.executionStats.totalKeysExamined).toBeLessThanOrEqual(ready.executionStats.nReturned + 1);
  });

  it('a retry makes one more attempt, whatever the state, and the schedule continues as before', async () => {
    await system.newEndpoint(workspaceId);
    system.system.answer = () => ({ status: 500 });
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    const [{ _id: id } = { _id: '' }] = await system.deliveries(workspaceId);
    const retry = () => retryDelivery(system.deps, live(workspaceId), id, context());
    const read = () => findDelivery(system.deps, live(workspaceId), id, context());
    await retry();
    await system.drain();
    expect(await read()).toMatchObject({ state: 'retrying', tries: 1, attempts: [{}, {}] });
    system.clock.advance(minuteMs);
    system.system.answer = () => ({ status: 204 });
    await system.drain();
    expect(await read()).toMatchObject({ state: 'succeeded', tries: 2 });
    system.system.answer = () => ({ status: 500 });
    await retry();
    await system.drain();
    expect(await read()).toMatchObject({ state: 'failed', tries: 2, dueAt: null });
    expect((await read()).attempts).toHaveLength(4);
  });

  it('a second retry before the attempt of the first one does not start the schedule of a delivery that has succeeded', async () => {
    await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    const [{ _id: id } = { _id: '' }] = await system.deliveries(workspaceId);
    for (let n = 0; n < 2; n++) await retryDelivery(system.deps, live(workspaceId), id, context());
    system.system.answer = () => ({ status: 500 });
    await system.drain();
    expect(await system.delivery(workspaceId, id)).toMatchObject({ state: 'failed', dueAt: null });
  });

  it('a retry that could not announce its queue leaves the delivery as it was, and a repeated retry is sent', async () => {
    await system.newEndpoint(workspaceId);
    await system.receive(system.newEvent(workspaceId));
    await system.drain();
    const before = await system.deliveries(workspaceId);
    const id = before[0]?._id as string;
    const { deps } = system.instance({
      replace: (own) => ({
        ...own,
        queues: { ...own.queues, announce: () => Promise.reject(new Error('the connection is lost')) },
      }),
    });
    await expect(retryDelivery(deps, live(workspaceId), id, context())).rejects.toThrow('the connection is lost');
    expect(await system.deliveries(workspaceId)).toEqual(before);
    await retryDelivery(system.deps, live(workspaceId), id, context());
    await system.drain();
    expect((await system.delivery(workspaceId, id)).attempts).toHaveLength(2);
    expect(system.requests).toHaveLength(2);
  });

  it('attempts of an earlier minute that were granted and not made do not raise the bound of the next minute', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId, { maxPerMinute: 10 });
    const ref = { ...live(workspaceId), id: endpoint.id };
    const { queues } = system.deps;
    const startMs = Math.ceil(system.clock.now() / minuteMs) * minuteMs;
    const grantAt = async (atMs: number, token: string) => {
      await queues.announce(live(workspaceId), [endpoint.id], new Date(atMs), { maxTimeMS: 60_000 });
      const lease = { token, now: new Date(atMs), until: new Date(atMs + minuteMs) };
      return queues.grant(ref, { ...lease, want: 5 }, 60_000);
    };
    const early = await grantAt(startMs - 1, 'a');
    expect((await grantAt(startMs, 'b'))?.granted).toBe(5);
    const unused = { leased: 0, isMore: false, nextAt: null };
    await queues.keep(ref, early as never, unused, new Date(startMs), 60_000);
    expect((await grantAt(startMs + 1, 'c'))?.granted).toBe(5);
    await queues.release(
      ref,
      { slots: [{ token: 'b', n: 5 }], nextAt: null, hasSucceeded: true, failed: 0 },
      new Date(startMs + 2),
      60_000,
    );
    expect(await grantAt(startMs + 3, 'd')).toBeUndefined();
  });
});
