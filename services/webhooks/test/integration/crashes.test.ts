import { minuteMs } from '@shopscope/clock';
import { type CrashMoment, crashMoments, killedAtCall } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDeliveries } from '../../src/operations/deliveries/create-deliveries.ts';
import { endClosedDeliveries } from '../../src/operations/deliveries/end-deliveries.ts';
import { runReplayStep } from '../../src/operations/replays/run-replay-step.ts';
import { startReplay } from '../../src/operations/replays/start-replay.ts';
import { context, type Live, live, newWorkspaceId, startWebhooksSystem, type WebhooksSystem } from './harness.ts';

/** Replaces an instance by one that is killed before or after its call number `n` of the database. */
function killedAt(n: number, moment: CrashMoment) {
  const { guard, kill, wasKilled } = killedAtCall(n, moment);
  const replace = (deps: Live): Live => ({
    ...deps,
    endpoints: guard(deps.endpoints),
    queues: guard(deps.queues),
    deliveries: guard(deps.deliveries),
    closings: guard(deps.closings),
    replays: guard(deps.replays),
    transact: guard({ transact: deps.transact }).transact,
    // A process that is killed does not repeat its statements.
    clock: {
      ...deps.clock,
      now: () => deps.clock.now(),
      monotonicMs: () => deps.clock.monotonicMs(),
      after: (ms, then) => deps.clock.after(ms, then),
      sleep: async () => kill(),
    },
  });
  return { replace, wasKilled };
}

describe('an instance that is killed at any call of the database', () => {
  let system: WebhooksSystem;
  beforeAll(async () => {
    system = await startWebhooksSystem('crashes');
  });
  afterAll(() => system?.stop());
  beforeEach(() => system.reset());

  /** Delivers two events with an instance that is killed. Returns whether it was not killed. */
  const run = async (n: number, moment: CrashMoment, statuses: readonly number[]): Promise<boolean> => {
    const name = `${moment} ${n}`;
    await system.reset();
    const workspaceId = newWorkspaceId();
    await system.newEndpoint(workspaceId);
    const answered = new Map<string, number>();
    system.system.answer = ({ headers }) => {
      const id = headers['webhook-id'] as string;
      const count = answered.get(id) ?? 0;
      answered.set(id, count + 1);
      return { status: statuses[Math.min(count, statuses.length - 1)] as number };
    };
    const events = [system.newEvent(workspaceId), system.newEvent(workspaceId)];
    const { replace, wasKilled } = killedAt(n, moment);
    const dying = system.instance({ replace });
    // Kafka delivers again what a killed consumer has not committed.
    await createDeliveries(dying.deps, events).catch(() => createDeliveries(system.deps, events));
    for (let round = 0; round < 3 && !wasKilled(); round++) {
      await dying.dispatcher.run().catch(() => false);
      await dying.dispatcher.settled();
      system.clock.advance(5_500);
    }
    for (let round = 0; round < 8; round++) {
      await endClosedDeliveries(system.deps);
      await system.drain();
      system.clock.advance(minuteMs);
    }
    const deliveries = await system.deliveries(workspaceId);
    const isGone = statuses[0] === 410;
    expect(
      deliveries.map(({ state, dueAt }) => [state, dueAt]),
      name,
    ).toEqual(Array.from({ length: 2 }, () => [isGone ? 'failed' : 'succeeded', undefined]));
    if (isGone)
      expect(
        (await system.published()).map(({ type }) => type),
        name,
      ).toEqual(['webhook.disabled']);
    else for (const { id } of events) expect(answered.get(id), name).toBeGreaterThanOrEqual(statuses.length);
    // At most the attempts in flight at the kill are made twice.
    expect(system.requests.length, name).toBeLessThanOrEqual(2 * statuses.length + 2);
    const [queue] = await system.db.collection<{ slots: { until: Date }[] }>('queues').find({}).toArray();
    expect(
      queue?.slots.filter(({ until }) => until.getTime() > system.clock.now()),
      name,
    ).toEqual([]);
    return !wasKilled();
  };

  const receivers = [
    { what: 'succeeds at once', statuses: [200] },
    { what: 'succeeds at the second attempt', statuses: [500, 200] },
    { what: 'answers 410', statuses: [410] },
  ];
  // By day, one receiver that needs two attempts is tried: the others need a part of its calls.
  const crashes = crashMoments.flatMap(({ when, tags }) => [
    { moment: when, tags, tried: receivers.filter(({ statuses }) => statuses.length > 1) },
    { moment: when, tags: ['nightly'], tried: receivers.filter(({ statuses }) => statuses.length === 1) },
  ]);
  for (const { moment, tags, tried } of crashes) {
    it.each(tried)(
      `killed ${moment} it, no delivery is lost to a receiver that $what`,
      { timeout: 300_000, tags },
      async ({ statuses }) => {
        let n = 1;
        while (!(await run(n, moment, statuses))) n += 1;
        expect(n).toBeGreaterThan(10);
      },
    );
  }

  for (const { when: moment, tags } of crashMoments) {
    it(`killed ${moment} it, a replay queues every event once`, { timeout: 300_000, tags }, async () => {
      for (let n = 1; ; n++) {
        const name = `${moment} ${n}`;
        await system.reset();
        const workspaceId = newWorkspaceId();
        const { endpoint } = await system.newEndpoint(workspaceId);
        const fromMs = system.clock.now();
        const events = Array.from({ length: 3 }, () => system.newEvent(workspaceId));
        await system.receive(events[0] as never);
        await system.drain();
        const { replace, wasKilled } = killedAt(n, moment);
        const dying = system.instance({ replace });
        const span = { endpointId: endpoint.id, fromMs, toMs: system.clock.now(), scope: 'all' as const };
        const request = { ...span, eventTypes: [], requestToken: 'once' };
        await startReplay(dying.deps, live(workspaceId), request, context()).catch(() => undefined);
        for (let more = true; more && !wasKilled(); ) more = await runReplayStep(dying.deps).catch(() => false);
        await startReplay(system.deps, live(workspaceId), request, context());
        system.clock.advance(2 * minuteMs);
        for (let more = true; more; ) more = await runReplayStep(system.deps);
        await system.drain();
        const sent = system.requests.map(({ headers }) => headers['webhook-id']).sort();
        expect(sent, name).toEqual([events[0], ...events].map((event) => event?.id).sort());
        expect(
          (await system.published()).map(({ type }) => type),
          name,
        ).toEqual(['job.finished']);
        if (!wasKilled()) {
          expect(n).toBeGreaterThan(8);
          return;
        }
      }
    });
  }
});
