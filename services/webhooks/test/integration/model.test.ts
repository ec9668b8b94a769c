import { createHmac } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { seededRandom } from '@shopscope/testing/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retryDelivery } from '../../src/operations/deliveries/retry-delivery.ts';
import { runReplayStep } from '../../src/operations/replays/run-replay-step.ts';
import { startReplay } from '../../src/operations/replays/start-replay.ts';
import { rotateSecret } from '../../src/operations/rotate-secret.ts';
import { updateEndpoint } from '../../src/operations/update-endpoint.ts';
import {
  type Answer,
  context,
  type Live,
  live,
  newWorkspaceId,
  startWebhooksSystem,
  type WebhooksSystem,
} from './harness.ts';

/** A short run belongs to every change. SHOPSCOPE_NIGHTLY=1 runs all, and MODEL_SEEDS=3,7 repeats some of them. */
const { SHOPSCOPE_NIGHTLY: isNightly, MODEL_SEEDS: chosenSeeds } = process.env;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const seeds = chosenSeeds?.split(',').map(Number) ?? upTo(isNightly ? 60 : 3);
const stepsOfRun = isNightly || chosenSeeds ? 60 : 25;

/** What the test expects of an endpoint. */
interface Model {
  id: string;
  workspaceId: string;
  url: string;
  state: 'active' | 'paused' | 'disabled';
  /** The secrets that may sign. */
  secrets: string[];
  /** The events that have to arrive, unless the receiver ends them. */
  expected: Set<string>;
  arrived: Set<string>;
  inFlight: number;
}

describe('deliveries, compared with a model', () => {
  let system: WebhooksSystem;
  beforeAll(async () => {
    system = await startWebhooksSystem('model');
  });
  afterAll(() => system?.stop());

  async function run(seed: number) {
    await system.reset();
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const steps: string[] = [];
    const models: Model[] = [];
    const workspaces = [newWorkspaceId(), newWorkspaceId()];
    for (const [n, workspaceId] of [...workspaces, workspaces[0] as string].entries()) {
      const url = `https://hooks.example/${n}`;
      const { endpoint, secret } = await system.newEndpoint(workspaceId, { url });
      const sets = { expected: new Set<string>(), arrived: new Set<string>() };
      models.push({ id: endpoint.id, workspaceId, url, state: 'active', secrets: [secret], ...sets, inFlight: 0 });
    }
    let kinds: ('ok' | 'fails' | 'resets' | 'later' | 'drops')[] = ['ok'];

    const faults: unknown[] = [];
    const check = (work: () => void) => {
      try {
        work();
      } catch (error) {
        // The service takes an error here for one of its own.
        faults.push(error);
      }
    };
    system.system.answer = ({ url, headers, body }): Answer => {
      const model = models.find((each) => each.url === url) as Model;
      const id = headers['webhook-id'] as string;
      const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
      const valid = model.secrets.map((secret) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      });
      const signatures = headers['webhook-signature']?.split(' ') ?? [''];
      model.inFlight += 1;
      check(() => {
        expect(signatures.every((signature) => valid.includes(signature))).toBe(true);
        expect(model.state).toBe('active');
        expect(model.expected).toContain(id);
        expect(model.inFlight).toBeLessThanOrEqual(10);
      });
      const kind = oneOf(kinds);
      const isTaken = kind === 'ok' || kind === 'drops';
      if (isTaken) model.arrived.add(id);
      const end = () => {
        model.inFlight -= 1;
      };
      if (kind === 'resets') return settle(end, { error: 'connection_reset' });
      if (kind === 'later') return settle(end, { status: 503, headers: { 'retry-after': '30' } });
      // The receiver has the event, and its answer is lost.
      if (kind === 'drops') return settle(end, { error: 'timeout' });
      return settle(end, { status: kind === 'ok' ? 200 : 500 });
    };

    const instances = [system.instance(), system.instance()];
    const drain = async () => {
      for (let round = 0; round < 3; round++) {
        await Promise.all(instances.map((each) => each.dispatcher.run()));
        await Promise.all(instances.map((each) => each.dispatcher.settled()));
      }
    };
    const tell = async () => {
      const workspaceId = oneOf(workspaces);
      const events = upTo(1 + below(15)).map(() => system.newEvent(workspaceId));
      for (const model of models) {
        if (model.workspaceId !== workspaceId || model.state === 'disabled') continue;
        for (const { id } of events) model.expected.add(id);
      }
      await system.receive(...events);
      if (below(3) === 0) await system.receive(...events);
    };
    const set = async (model: Model, state: 'active' | 'paused') => {
      const change = { id: model.id, members: {}, state };
      model.state = state;
      await updateEndpoint(system.deps, live(model.workspaceId), change, context());
    };
    const rotate = async () => {
      const model = oneOf(models);
      const request = { id: model.id, overlapHours: oneOf([0, 1, 24]), requestToken: '' };
      const { secret } = await rotateSecret(system.deps, live(model.workspaceId), request, context());
      model.secrets = [secret, ...(request.overlapHours > 0 ? model.secrets.slice(0, 1) : [])];
    };
    /** An instance that is killed while it sends, and is replaced. */
    const kill = async () => {
      const deps: Live = {
        ...system.deps,
        deliveries: { ...system.deps.deliveries, settle: () => Promise.reject(new Error('killed')) },
        clock: { ...clockOf(system), sleep: () => Promise.reject(new Error('killed')) },
      };
      const dying = system.instance({ replace: () => deps });
      await dying.dispatcher.run();
      await dying.dispatcher.settled();
      system.clock.advance(minuteMs + 1);
    };
    const retry = async () => {
      const model = oneOf(models);
      const [delivery] = await system.db
        .collection<{ _id: string }>('deliveries')
        .find({ endpointId: model.id })
        .skip(below(5))
        .limit(1)
        .toArray();
      if (!delivery) return;
      const retried = retryDelivery(system.deps, live(model.workspaceId), delivery._id, context());
      if (model.state === 'active') await retried;
      else await expect(retried).rejects.toMatchObject({ code: 'invalid_request' });
    };
    const replay = async (model: Model, scope: 'failed' | 'all') => {
      const toMs = system.clock.now();
      const span = { endpointId: model.id, fromMs: toMs - 30 * dayMs, toMs };
      const request = { ...span, scope, eventTypes: [], requestToken: '' };
      await startReplay(system.deps, live(model.workspaceId), request, context());
      for (let more = true; more; ) more = await runReplayStep(system.deps);
    };
    const actions: Record<string, () => unknown> = {
      tell,
      tellMore: tell,
      drain,
      pass: () => system.clock.advance(oneOf([1_000, 6_000, 6 * minuteMs, 3 * hourMs])),
      answer: () => {
        kinds = oneOf([['ok'], ['fails'], ['ok', 'resets'], ['later'], ['ok', 'drops'], ['drops', 'fails', 'ok']]);
      },
      pause: () => set(oneOf(models), 'paused'),
      resume: () => set(oneOf(models), 'active'),
      rotate,
      kill,
      retry,
      replay: () => replay(oneOf(models), oneOf(['failed', 'all'])),
    };
    for (let n = 0; n < stepsOfRun; n++) {
      const action = oneOf(Object.keys(actions));
      steps.push(action);
      await actions[action]?.();
      if (below(2) === 0) await drain();
    }
    kinds = ['ok'];
    for (const model of models) await set(model, 'active');
    const finish = async () => {
      for (let round = 0; round < 30; round++) {
        await drain();
        system.clock.advance(3 * hourMs);
      }
    };
    await finish();
    for (const model of models) await replay(model, 'failed');
    await finish();
    expect(faults, steps.join()).toEqual([]);
    for (const model of models) {
      const found = await system.db
        .collection<{ eventId: string; state: string }>('deliveries')
        .find({ endpointId: model.id })
        .toArray();
      expect(new Set(found.map(({ eventId }) => eventId)), steps.join()).toEqual(model.expected);
      expect(found.length, steps.join()).toBe(model.expected.size);
      expect(new Set(found.map(({ state }) => state)).difference(new Set(['succeeded'])), steps.join()).toEqual(
        new Set(),
      );
      expect(model.arrived, steps.join()).toEqual(model.expected);
    }
  }

  it.each(seeds)(
    'every event arrives at every endpoint that receives it, whatever answers, kills, pauses, rotations, retries and replays come: seed %d',
    (seed) => run(seed),
    300_000,
  );
});

const settle = async (
  end: () => void,
  answer: { error: 'connection_reset' | 'timeout' } | { status: number; headers?: Record<string, string> },
) => {
  await Promise.resolve();
  end();
  return answer;
};

const clockOf = ({ clock }: WebhooksSystem): Live['clock'] => ({
  now: () => clock.now(),
  monotonicMs: () => clock.monotonicMs(),
  sleep: (ms, abort) => clock.sleep(ms, abort),
  after: (ms, callback) => clock.after(ms, callback),
});
