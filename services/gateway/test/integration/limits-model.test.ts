import { resolve } from 'node:path';
import { ManualClock } from '@shopscope/clock';
import { beginSlotMove, moveSlot, type SlotMove, startTemporaryCluster } from '@shopscope/local-stack';
import { createRedis, type Redis } from '@shopscope/redis';
import { redisOptions, testNamespace, waitUntil } from '@shopscope/testing';
import fc from 'fast-check';
import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/keys/caller.ts';
import { createAdmission } from '../../src/limits/admission.ts';
import type { AdmissionDecision, AdmitOutcome, Limits } from '../../src/limits/decision.ts';
import { createLocalLimits } from '../../src/limits/local-limits.ts';
import { createRedisLimits, leaseMs } from '../../src/limits/redis-limits.ts';
import { testRedis } from './support/gateway.ts';
import { redisAt } from './support/redis-at.ts';

/** Limiters of several gateways on the real Redis, or on Redis Cluster. Its scripts see the time that the test makes. */
const namespace = testNamespace('gw');
const instances = 3;
/** Each run has other random histories. `.ci/nightly` makes four times as many. */
const numRuns = Number(process.env.SHOPSCOPE_MODEL_RUNS ?? (process.env.SHOPSCOPE_NIGHTLY === 'true' ? 60 : 15));
/** Commands of a cluster are not pipelined, and moves of slots take many of them. */
const runsOf = (form: Form) => (form === 'one node' ? numRuns : Math.ceil(numRuns / 4));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let keys = 0;
let one: Redis;
let cluster: Redis;
let nodes: Awaited<ReturnType<typeof startTemporaryCluster>>;

beforeAll(async () => {
  one = testRedis(namespace);
  nodes = await startTemporaryCluster(cacheDir);
  const { url: _, ...options } = redisOptions(namespace);
  cluster = createRedis({ ...options, cluster: nodes.addresses });
  await waitUntil('Redis', () => one.available && cluster.available);
});
afterAll(async () => {
  await one?.close();
  await cluster?.close();
  await nodes?.stop();
  await namespace.cleanup();
});

const forms = ['one node', 'a cluster of three'] as const;
type Form = (typeof forms)[number];
const redisOf = (form: Form) => (form === 'one node' ? one : cluster);

async function loseState(form: Form, { keyId }: Caller) {
  const { redisKeyPrefix } = namespace;
  if (form === 'one node') {
    const found = await one.client.keys(`${redisKeyPrefix}*`);
    if (found.length > 0) await one.client.del(...found.map((key) => key.slice(redisKeyPrefix.length)));
    return;
  }
  const key = `rpm:{${keyId}}`;
  // The client learns where the slot is.
  await cluster.client.exists(key);
  const { id } = cluster.nodeOf(key);
  const lost = (cluster.client as unknown as Cluster)
    .nodes('master')
    .filter((node) => node.options.port === Number(id.split(':')[1]));
  for (const node of lost) await node.flushall();
}

const slotOf = ({ keyId }: Caller) => ({ ports: nodes.ports, slot: cluster.slotOf(`rpm:{${keyId}}`) });

function startGateway(form: Form, clock: ManualClock) {
  const way = redisAt(redisOf(form), clock);
  const shared = createRedisLimits(way, clock);
  const local = createLocalLimits({
    now: () => clock.now() + shared.clockOffsetMs,
    monotonicMs: () => clock.monotonicMs(),
    replicas: instances,
  });
  return { way, shared, admit: createAdmission({ shared, local }).decide };
}

async function startGateways(form: Form, limits: Limits) {
  // Redis itself forgets by its own time, so the test's time begins there and runs ahead.
  const clock = new ManualClock(Date.now());
  const gateways = Array.from({ length: instances }, () => startGateway(form, clock));
  const caller = { keyId: `key_${keys++}`, plan: limits } as unknown as Caller;
  // Every gateway learns the epoch of the key's slot.
  for (const { shared, admit } of gateways) {
    await shared.learnEpochs();
    (await admit(caller)).release();
  }
  await new Promise(setImmediate);
  clock.advance(60_000);
  const ask = (gateway: number, count: number) =>
    Promise.all(Array.from({ length: count }, () => (gateways[gateway] as (typeof gateways)[0]).admit(caller)));
  return { clock, gateways, caller, ask, minute: () => Math.floor(clock.now() / 60_000) };
}

/** Models the limits of a key, without a Redis: requests by minute, and a list of slots with their ends. */
class Model {
  readonly used = new Map<number, number>();
  slots: { decision: AdmissionDecision | undefined; endMs: number }[] = [];
  readonly limits: Limits;
  constructor(limits: Limits) {
    this.limits = limits;
  }

  ask(nowMs: number): AdmitOutcome {
    const minute = Math.floor(nowMs / 60_000);
    const used = (this.used.get(minute) ?? 0) + 1;
    this.used.set(minute, used);
    if (used > this.limits.rpm) return 'rate_limited';
    this.slots = this.slots.filter(({ endMs }) => endMs > nowMs);
    if (this.slots.length >= this.limits.concurrency) return 'concurrency_limited';
    this.slots.push({ decision: undefined, endMs: nowMs + leaseMs });
    return 'admitted';
  }
}

const burst = fc.array(fc.nat(4), { minLength: instances, maxLength: instances });
const pass = fc
  .constantFrom(1, 4_000, leaseMs - 1, leaseMs, 29_999, 60_000)
  .map((ms) => ({ kind: 'pass' as const, ms }));

describe.each(forms)('limits of several gateways on %s', (form) => {
  const limits = { rpm: 12, concurrency: 4 };
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask' as const), counts: burst }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), which: fc.nat(instances - 1) }) },
    { weight: 3, arbitrary: pass },
    ...(form === 'one node' ? [] : [{ weight: 2, arbitrary: fc.constant({ kind: 'slot moves' as const }) }]),
  );

  it(`the limits of several gateways on ${form} decide over random commands as one model does`, async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }), async (script) => {
      const { clock, gateways, caller, ask } = await startGateways(form, limits);
      const model = new Model(limits);
      const held: { decision: AdmissionDecision; gateway: number; slot: Model['slots'][0] }[] = [];
      for (const next of script) {
        if (next.kind === 'pass') clock.advance(next.ms);
        else if (next.kind === 'slot moves') await moveSlot(slotOf(caller));
        else if (next.kind === 'die') {
          // Its slots are never released. They end by themselves.
          gateways[next.which] = startGateway(form, clock);
          held.splice(0, held.length, ...held.filter(({ gateway }) => gateway !== next.which));
        } else if (next.kind === 'end') {
          const [ended] = held.splice(next.which % Math.max(1, held.length), 1);
          ended?.decision.release();
          model.slots = model.slots.filter((slot) => slot !== ended?.slot);
          await new Promise(setImmediate);
        } else {
          const before = new Set(model.slots);
          const decided = (await Promise.all(next.counts.map((count, gateway) => ask(gateway, count)))).flatMap(
            (decisions, gateway) => decisions.map((decision) => ({ decision, gateway })),
          );
          const expected = decided.map(() => model.ask(clock.now()));
          expect(decided.map(({ decision }) => decision.outcome).sort()).toEqual(expected.sort());
          const left = Math.max(0, limits.rpm - (model.used.get(Math.floor(clock.now() / 60_000)) ?? 0));
          if (decided.length > 0) expect(Math.min(...decided.map(({ decision }) => decision.remaining))).toBe(left);
          const slots = model.slots.filter((slot) => !before.has(slot));
          const admitted = decided.filter(({ decision }) => decision.outcome === 'admitted');
          for (const [i, each] of admitted.entries()) held.push({ ...each, slot: slots[i] as Model['slots'][0] });
        }
      }
    });
    await fc.assert(property, { numRuns: runsOf(form), endOnFailure: true });
  }, 120_000);
});

describe.each(forms)('limits with %s that is unreliable', (form) => {
  const limits = { rpm: 9, concurrency: 1_000 };
  const who = fc.subarray([0, 1, 2], { minLength: 1 });
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('ask' as const),
        counts: fc.array(fc.nat(12), { minLength: 3, maxLength: 3 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('away' as const), who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('back' as const), who }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'lose' as const }) },
    { weight: 1, arbitrary: pass },
    ...(form === 'one node' ? [] : [{ weight: 3, arbitrary: fc.constant({ kind: 'slot moves' as const }) }]),
  );

  it(`gateways with an unreliable Redis of ${form} admit at most twice the limit in a minute, and the exact limit in an undisturbed one`, async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (script) => {
      const { clock, gateways, caller, ask, minute } = await startGateways(form, limits);
      /** The move of the slot that has begun. */
      let move: SlotMove | undefined;
      let isMoved = false;
      const admitted = new Map<number, number>();
      const asked = new Map<number, number>();
      const disturbed = new Set<number>();
      for (const next of script) {
        if (next.kind === 'pass') clock.advance(next.ms);
        else if (next.kind === 'lose') await loseState(form, caller);
        else if (next.kind === 'slot moves') {
          // One of three steps. Until the last one, a script may fail, because only some of its keys have moved.
          if (!move) move = await beginSlotMove(slotOf(caller));
          else if (!isMoved) {
            await move.moveKeys();
            isMoved = true;
          } else {
            await move.end();
            [move, isMoved] = [undefined, false];
          }
        } else if (next.kind !== 'ask') {
          for (const [n, { way }] of gateways.entries()) if (next.who.includes(n)) way.away = next.kind === 'away';
        } else {
          const decisions = (await Promise.all(next.counts.map((count, gateway) => ask(gateway, count)))).flat();
          const count = decisions.filter(({ outcome }) => outcome === 'admitted').length;
          admitted.set(minute(), (admitted.get(minute()) ?? 0) + count);
          asked.set(minute(), (asked.get(minute()) ?? 0) + decisions.length);
          for (const { release } of decisions) release();
        }
        // A loss is noticed by the next question, which may fall into a later minute.
        if (next.kind === 'lose') for (let n = 0; n < 100; n++) disturbed.add(minute() + n);
        if (move || next.kind === 'slot moves' || gateways.some(({ way }) => way.away)) disturbed.add(minute());
        expect(admitted.get(minute()) ?? 0).toBeLessThanOrEqual(2 * limits.rpm);
      }
      await move?.moveKeys();
      await move?.end();
      for (const [each, count] of admitted) {
        if (!disturbed.has(each)) expect(count).toBe(Math.min(limits.rpm, asked.get(each) ?? 0));
      }
    });
    await fc.assert(property, { numRuns: runsOf(form) * 2, endOnFailure: true });
  }, 120_000);
});

it.each(forms)(
  'requests of several keys in one turn are decided on %s by the limits of each key in order, and release their own slots',
  async (form) => {
    const clock = new ManualClock(Date.now());
    const { admit } = startGateway(form, clock);
    const [narrow, wide, slow] = [
      { rpm: 100, concurrency: 1 },
      { rpm: 100, concurrency: 3 },
      { rpm: 2, concurrency: 100 },
    ].map((plan) => ({ keyId: `key_${keys++}`, plan }) as unknown as Caller) as [Caller, Caller, Caller];
    const ask = () => Promise.all([narrow, slow, wide, narrow, wide, slow, slow, wide, wide].map(admit));
    const first = await ask();
    expect(first.map(({ outcome, remaining }) => [outcome, remaining])).toEqual([
      ['admitted', 99],
      ['admitted', 1],
      ['admitted', 99],
      ['concurrency_limited', 98],
      ['admitted', 98],
      ['admitted', 0],
      ['rate_limited', 0],
      ['admitted', 97],
      ['concurrency_limited', 96],
    ]);
    for (const { release } of first) release();
    await new Promise(setImmediate);
    expect((await ask()).map(({ outcome }) => outcome)).toEqual([
      ...['admitted', 'rate_limited', 'admitted', 'concurrency_limited', 'admitted'],
      ...['rate_limited', 'rate_limited', 'admitted', 'concurrency_limited'],
    ]);
  },
);
