import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../src/operations/delete-endpoint.ts';
import { cancelReplay, withdrawDeliveries } from '../../src/operations/replays/cancel-replay.ts';
import { findReplay } from '../../src/operations/replays/find-replay.ts';
import { runReplayStep } from '../../src/operations/replays/run-replay-step.ts';
import { type ReplayStart, startReplay } from '../../src/operations/replays/start-replay.ts';
import { context, live, newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

describe('replays', () => {
  let system: WebhooksSystem;
  let workspaceId: string;
  beforeAll(async () => {
    system = await startWebhooksSystem('replays');
  });
  afterAll(() => system?.stop());
  beforeEach(async () => {
    await system.reset();
    workspaceId = newWorkspaceId();
  });

  const start = (endpointId: string, over: Partial<ReplayStart> = {}, deps = system.deps) => {
    const toMs = system.clock.now();
    const span = { fromMs: toMs - 30 * dayMs, toMs };
    const request = { endpointId, ...span, scope: 'all' as const, eventTypes: [], requestToken: '', ...over };
    return startReplay(deps, live(workspaceId), request, context());
  };
  const read = ({ id }: { id: string }) => findReplay(system.deps, live(workspaceId), id, context());
  const finish = async () => {
    for (let more = true; more; ) more = await runReplayStep(system.deps);
    await system.drain();
  };
  const sent = () => system.requests.map(({ headers }) => headers['webhook-id']);

  it('a replay delivers the events of its time once, of which some had no delivery, and tells its progress', async () => {
    const early = system.newEvent(workspaceId);
    system.clock.advance(minuteMs);
    const fromMs = system.clock.now();
    const missed = Array.from({ length: 450 }, () => system.newEvent(workspaceId));
    const { endpoint } = await system.newEndpoint(workspaceId);
    const delivered = system.newEvent(workspaceId);
    const other = system.newEvent(workspaceId, { type: 'scan.failed' });
    await system.receive(delivered, other);
    await system.drain();
    const toMs = system.clock.now();
    system.clock.advance(1);
    const late = system.newEvent(workspaceId);
    system.requests.length = 0;
    const job = await start(endpoint.id, { fromMs, toMs });
    await finish();
    expect(sent().sort()).toEqual([...missed, delivered].map(({ id }) => id).sort());
    expect(sent()).not.toContain(early.id);
    expect(sent()).not.toContain(late.id);
    expect(await read(job)).toMatchObject({ state: 'succeeded', total: 452, done: 452 });
    expect(await system.published()).toMatchObject([{ type: 'job.finished', related: { type: 'job', id: job.id } }]);
  });

  it('a replay of failed deliveries sends only what has failed or is being retried', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const events = Array.from({ length: 3 }, () => system.newEvent(workspaceId));
    const failing = events[1]?.id as string;
    system.system.answer = ({ headers }) => ({ status: headers['webhook-id'] === failing ? 500 : 200 });
    await system.receive(...events);
    await system.drain();
    system.requests.length = 0;
    system.system.answer = () => ({});
    await start(endpoint.id, { scope: 'failed' });
    await finish();
    expect(sent()).toEqual([failing]);
  });

  it('new events are delivered before replayed ones', async () => {
    const old = Array.from({ length: 30 }, () => system.newEvent(workspaceId));
    const { endpoint } = await system.newEndpoint(workspaceId);
    await start(endpoint.id);
    for (let more = true; more; ) more = await runReplayStep(system.deps);
    const fresh = Array.from({ length: 15 }, () => system.newEvent(workspaceId));
    await system.receive(...fresh);
    await system.drain();
    expect(new Set(sent().slice(0, 15))).toEqual(new Set(fresh.map(({ id }) => id)));
    expect(sent()).toHaveLength(old.length + fresh.length);
  });

  it('a canceled replay examines no further event, sends nothing more, and the deletion of its endpoint cancels it', async () => {
    for (let n = 0; n < 450; n++) system.newEvent(workspaceId);
    const { endpoint } = await system.newEndpoint(workspaceId);
    const job = await start(endpoint.id);
    // The first step counts, the second one queues 200 events.
    await runReplayStep(system.deps);
    await runReplayStep(system.deps);
    expect(await cancelReplay(system.deps, live(workspaceId), job.id, context())).toMatchObject({ state: 'canceled' });
    await finish();
    expect(await read(job)).toMatchObject({ state: 'canceled', total: 450, done: 200 });
    expect(sent()).toEqual([]);
    expect(new Set((await system.deliveries(workspaceId)).map(({ state }) => state))).toEqual(new Set(['failed']));
    const second = await start(endpoint.id);
    await deleteEndpoint(system.deps, live(workspaceId), endpoint.id, context());
    expect(await read(second)).toMatchObject({ state: 'canceled' });
  });

  it('after a cancellation, a delivery that was not tried is what it was before, and a retry comes when it was due', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const [succeeded, retrying] = [system.newEvent(workspaceId), system.newEvent(workspaceId)];
    system.system.answer = ({ headers }) => ({ status: headers['webhook-id'] === retrying.id ? 500 : 200 });
    await system.receive(succeeded, retrying);
    await system.drain();
    const before = await system.deliveries(workspaceId);
    // More events than one step queues.
    for (let n = 0; n < 200; n++) system.newEvent(workspaceId);
    const job = await start(endpoint.id);
    for (let step = 0; step < 2; step++) await runReplayStep(system.deps);
    expect((await system.deliveries(workspaceId)).map(({ state }) => state)).toEqual(Array(200).fill('pending'));
    await cancelReplay(system.deps, live(workspaceId), job.id, context());
    const members = ({ state, dueAt, attempts }: (typeof before)[number]) => ({ state, dueAt, attempts });
    expect((await system.deliveries(workspaceId)).slice(0, 2).map(members)).toEqual(before.map(members));
    system.requests.length = 0;
    system.system.answer = () => ({});
    system.clock.advance(6_000);
    await system.drain();
    expect(sent()).toEqual([retrying.id]);
  });

  it('a canceled replay withdraws no delivery that another replay has queued, too', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const failed = system.newEvent(workspaceId);
    system.system.answer = () => ({ status: 500, headers: { 'webhook-delivery': 'abort-message' } });
    await system.receive(failed);
    await system.drain();
    system.newEvent(workspaceId);
    const jobs = [await start(endpoint.id), await start(endpoint.id), await start(endpoint.id, { scope: 'failed' })];
    for (let more = true; more; ) more = await runReplayStep(system.deps);
    system.requests.length = 0;
    system.system.answer = () => ({});
    const cancel = (n: number) =>
      system.deps.deliveries.withdraw(live(workspaceId), (jobs[n] as { id: string }).id, 100, 60_000);
    const states = async () => (await system.deliveries(workspaceId)).map(({ state }) => state);
    await cancel(1);
    expect(await states()).toEqual(['pending', 'pending']);
    await cancel(0);
    expect(await states()).toEqual(['pending', 'failed']);
    await system.drain();
    expect(sent()).toEqual([failed.id]);
  });

  it.each([
    { what: 'a replay that is canceled before', actions: ['replay', 'cancel', 'arrive'] },
    { what: 'a replay that is canceled afterwards', actions: ['replay', 'arrive', 'cancel'] },
    {
      what: 'a canceled replay and queued by another one that is canceled, too',
      actions: ['replay', 'cancel', 'replay', 'arrive', 'cancel'],
    },
  ])('an event that arrives is sent once, even if its delivery was made by $what', async ({ actions }) => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const event = system.newEvent(workspaceId);
    // More events than one step queues.
    for (let n = 0; n < 200; n++) system.newEvent(workspaceId);
    const jobs: { id: string }[] = [];
    const execute: Record<string, () => Promise<unknown>> = {
      async replay() {
        jobs.push(await start(endpoint.id));
        for (let step = 0; step < 2; step++) await runReplayStep(system.deps);
      },
      cancel: () => cancelReplay(system.deps, live(workspaceId), jobs.at(-1)?.id as string, context()),
      arrive: () => system.receive(event),
    };
    for (const action of actions) await execute[action]?.();
    await system.drain();
    expect(sent()).toEqual([event.id]);
    await system.receive(event);
    await system.drain();
    expect(sent()).toEqual([event.id]);
  });

  it('what a step queues after the cancellation of its job is withdrawn by the timer', async () => {
    for (let n = 0; n < 10; n++) system.newEvent(workspaceId);
    const { endpoint } = await system.newEndpoint(workspaceId);
    const job = await start(endpoint.id);
    await runReplayStep(system.deps);
    const { deps } = system.instance({
      replace: (own) => ({
        ...own,
        deliveries: {
          ...own.deliveries,
          async insert(...given) {
            await cancelReplay(system.deps, live(workspaceId), job.id, context());
            return own.deliveries.insert(...given);
          },
        },
      }),
    });
    await runReplayStep(deps);
    await withdrawDeliveries(system.deps);
    await system.drain();
    expect(sent()).toEqual([]);
    expect(await system.deps.replays.listWithdrawing(10, 60_000)).toHaveLength(1);
    system.clock.advance(2 * minuteMs);
    await withdrawDeliveries(system.deps);
    expect(await system.deps.replays.listWithdrawing(10, 60_000)).toEqual([]);
  });

  it('a workspace has a bounded number of replays, of at most 30 days each, and one per token', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const { id } = await start(endpoint.id, { requestToken: 'once' });
    expect(await start(endpoint.id, { requestToken: 'once' })).toMatchObject({ id });
    for (let n = 1; n < 18; n++) await start(endpoint.id);
    const instances = [system.instance(), system.instance()].map(({ deps }) => deps);
    const concurrent = Array.from({ length: 8 }, (_, n) => start(endpoint.id, {}, instances[n % 2]));
    const started = (await Promise.allSettled(concurrent)).filter(({ status }) => status === 'fulfilled');
    expect(started).toHaveLength(2);
    await expect(start(endpoint.id)).rejects.toMatchObject({ code: 'invalid_request' });
    await cancelReplay(system.deps, live(workspaceId), id, context());
    await start(endpoint.id);
    const toMs = system.clock.now();
    for (const fromMs of [toMs + 1, toMs - 30 * dayMs - 1]) {
      await expect(start(endpoint.id, { fromMs, toMs })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('the job is kept for 30 days after its end', async () => {
    const { endpoint } = await system.newEndpoint(workspaceId);
    const job = await start(endpoint.id);
    await finish();
    system.clock.advance(30 * dayMs - hourMs);
    expect(await read(job)).toMatchObject({ state: 'succeeded', total: 0, done: 0 });
    system.clock.advance(hourMs);
    await expect(read(job)).rejects.toMatchObject({ code: 'not_found' });
  });
});
