import { resolve } from 'node:path';
import { createRequestDeadline, workTimeoutMs } from '@shopscope/charging';
import { hourMs, ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { moveSlot, startTemporaryCluster } from '@shopscope/local-stack';
import { createRedis, type Redis } from '@shopscope/redis';
import { redisOptions, testNamespace, waitUntil } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotencyStore, type Execution, type StoredResponse } from '../../src/idempotency/redis-store.ts';
import { type IdempotentResponse, runOnce } from '../../src/idempotency/run-once.ts';
import { storedBytes } from '../../src/idempotency/stored-bytes.ts';
import { totalKeysOf } from '../../src/idempotency/total-bytes.ts';
import { testRedis } from './support/gateway.ts';
import { redisAt } from './support/redis-at.ts';

const namespace = testNamespace('gw');
/** Each run has other random histories. `.ci/nightly` makes four times as many. */
const numRuns = Number(process.env.SHOPSCOPE_MODEL_RUNS ?? (process.env.SHOPSCOPE_NIGHTLY === 'true' ? 60 : 15));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let workspaces = 0;
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
/** Commands of a cluster are not pipelined, and moves of slots take many of them. */
const runsOf = (form: Form) => (form === 'one node' ? numRuns : Math.ceil(numRuns / 4));
const moves = (form: Form) =>
  form === 'one node' ? [] : [{ weight: 2, arbitrary: fc.constant({ kind: 'slot moves' as const }) }];

const names = fc.nat(1);
const bodies = fc.constantFrom('aa', 'bb');

describe.each(forms)('idempotency records on %s', (form) => {
  const redis = () => redisOf(form);
  /** Two responses of the script fill a workspace, three reach the reserve, and four use it up. */
  const limits = { workspaceBytes: 1_200, totalBytes: 1_800 };
  const workspacesPerRun = 3;
  interface Stored {
    fingerprint: string;
    response: StoredResponse;
    atMs: number;
  }

  type Record = Pick<Execution, 'workspaceId' | 'name'>;
  const recordOf = ({ workspaceId, name }: Record) => `idem:{${workspaceId}}:${name}`;

  /** Models the stored responses, without a Redis. */
  class Model {
    locks = new Map<string, Execution>();
    stored = new Map<string, Stored>();
    written: { workspaceId: string; atMs: number; bytes: number }[] = [];

    begin(at: Execution, nowMs: number) {
      const key = recordOf(at);
      const holder = this.stored.get(key) ?? this.locks.get(key);
      if (holder && holder.fingerprint !== at.fingerprint) return 'conflict';
      if (holder) return this.stored.has(key) ? 'stored' : 'busy';
      const hour = Math.floor(nowMs / hourMs);
      const counted = this.written.filter(({ atMs }) => Math.floor(atMs / hourMs) >= hour - 24);
      const sum = (some: typeof counted) => some.reduce((total, { bytes }) => total + bytes, 0);
      const kept = this.written.filter(({ atMs }) => nowMs - atMs < 24 * hourMs);
      expect(sum(counted), 'a sum is never too low').toBeGreaterThanOrEqual(sum(kept));
      const [own, all] = [sum(counted.filter(({ workspaceId }) => workspaceId === at.workspaceId)), sum(counted)];
      if (own >= limits.workspaceBytes) return 'full';
      if (all >= limits.totalBytes && own >= 1.25 * limits.totalBytes - all) return 'total_full';
      this.locks.set(key, at);
      return 'acquired';
    }

    finish(at: Execution, response: StoredResponse, nowMs: number) {
      const key = recordOf(at);
      if (this.locks.get(key) !== at) return this.stored.has(key) ? 'stored_by_other' : 'lost';
      const { body, ...meta } = response;
      this.locks.delete(key);
      this.stored.set(key, { fingerprint: at.fingerprint, response, atMs: nowMs });
      this.written.push({
        workspaceId: at.workspaceId,
        atMs: nowMs,
        bytes: storedBytes([JSON.stringify(meta), body]),
      });
      return 'stored';
    }
  }

  /** Counted from the latest. */
  const pick = fc.nat(3);
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('begin' as const),
        workspace: fc.nat(workspacesPerRun - 1),
        name: fc.nat(3),
        fingerprint: bodies,
      }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('finish' as const), which: pick }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('abandon' as const), which: pick }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('lock ends' as const, 'response is lost' as const),
        workspace: fc.nat(workspacesPerRun - 1),
        name: fc.nat(3),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'redis forgets' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('hours pass' as const), hours: fc.constantFrom(0.5, 1, 3, 12, 23, 25) }),
    },
    ...moves(form),
  );

  it(`idempotency records on ${form} equal those of a model over random commands, to the byte and to the bound`, async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (script) => {
      const clock = new ManualClock();
      const store = createIdempotencyStore(redisAt(redis(), clock), clock, limits);
      const model = new Model();
      const ids = Array.from({ length: workspacesPerRun }, () => `ws_${workspaces++}`);
      const workspaceAt = (index: number) => ids[index] as string;
      const executions: Execution[] = [];
      const records = ids.flatMap((workspaceId) => [0, 1, 2, 3].map((n) => ({ workspaceId, name: `chg_${n}` })));
      const del = (key: string) => redis().client.del(key);
      const totalKeys = totalKeysOf(redis());
      for (const key of totalKeys) await del(key);

      for (const next of script) {
        if (next.kind === 'begin') {
          const token = `token-${executions.length}-`;
          const workspaceId = workspaceAt(next.workspace);
          const at = { workspaceId, name: `chg_${next.name}`, token, fingerprint: next.fingerprint };
          expect(await store.begin(at)).toBe(model.begin(at, clock.now()));
          executions.push(at);
        } else if (next.kind === 'finish' || next.kind === 'abandon') {
          const at = executions.at(-1 - next.which);
          if (!at) continue;
          if (next.kind === 'abandon') {
            await store.abandon(at);
            if (model.locks.get(recordOf(at)) === at) model.locks.delete(recordOf(at));
          } else {
            const body = Buffer.from([0, 255, ...Buffer.from(at.token)]);
            const response: StoredResponse = { status: 200, headers: { A: at.token }, body, encoding: 'identity' };
            expect(await store.finish(at, response)).toBe(model.finish(at, response, clock.now()));
          }
        } else if (next.kind === 'lock ends' || next.kind === 'response is lost') {
          const key = recordOf({ workspaceId: workspaceAt(next.workspace), name: `chg_${next.name}` });
          await del(next.kind === 'lock ends' ? `${key}:lock` : key);
          (next.kind === 'lock ends' ? model.locks : model.stored).delete(key);
        } else if (next.kind === 'redis forgets') {
          for (const key of records.map(recordOf)) await redis().client.del(key, `${key}:lock`);
          for (const key of [...totalKeys, ...ids.map((workspaceId) => `idem:{${workspaceId}}:bytes`)]) await del(key);
          Object.assign(model, new Model());
        } else if (next.kind === 'hours pass') {
          clock.advance(next.hours * hourMs);
          for (const at of executions) await del(`${recordOf(at)}:lock`);
          model.locks.clear();
          for (const [key, { atMs }] of model.stored) {
            if (clock.now() - atMs < 24 * hourMs) continue;
            await del(key);
            model.stored.delete(key);
          }
        }
        if (next.kind === 'slot moves') {
          await moveSlot({ ports: nodes.ports, slot: cluster.slotOf(`idem:{${workspaceAt(0)}}:bytes`) });
          await moveSlot({ ports: nodes.ports, slot: cluster.slotOf(totalKeys[0] as string) });
        }
        // The timer of a gateway does this.
        await store.sumTotal();
        const read = await Promise.all(records.map((record) => store.read(record)));
        expect(read).toEqual(records.map((record) => model.stored.get(recordOf(record))?.response));
      }
      clock.advance(25 * hourMs);
      await store.sumTotal();
      for (const workspaceId of ids) {
        const late = { workspaceId, name: 'chg_late', token: 'late', fingerprint: 'aa' };
        expect(await store.begin(late), 'a day later everything has left the budgets').toBe('acquired');
        expect(await redis().client.hlen(`idem:{${workspaceId}}:bytes`)).toBe(0);
      }
      await store.sumTotal();
      for (const key of totalKeys) expect(await redis().client.hlen(key)).toBe(0);
    });
    await fc.assert(property, { numRuns: runsOf(form), endOnFailure: true });
  }, 120_000);
});

describe.each(forms)('requests with an Idempotency-Key on %s', (form) => {
  const redis = () => redisOf(form);
  interface Sent {
    name: number;
    body: string;
    ended: Promise<string>;
  }
  interface Running extends Sent {
    settle(outcome: 'answers' | 'fails'): void;
  }
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), name: names, body: bodies }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom('answers' as const, 'fails' as const), which: fc.nat(5) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('response expires' as const), name: names }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'time is up' as const }) },
    ...moves(form),
  );

  it(`requests of one Idempotency-Key on ${form} run one at a time: equal ones repeat the answer, other bodies conflict, a failure frees the key`, async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (script) => {
      const clock = new ManualClock();
      const workspaceId = `ws_${workspaces++}`;
      const fast = { sleep: () => new Promise<void>(setImmediate) };
      const responses = createIdempotencyStore(redisAt(redis(), clock), clock);
      const deps = { responses, clock: fast, onIdempotentRequest: () => {} };
      const stored = new Map<number, { body: string; text: string }>();
      const running = new Map<number, Running>();
      const waiting: Sent[] = [];
      const begun: Running[] = [];
      let answers = 0;

      const send = (name: number, body: string): Sent => {
        const sent: Sent = { name, body, ended: Promise.resolve('') };
        const { promise, resolve, reject } = Promise.withResolvers<IdempotentResponse>();
        const settle = (outcome: 'answers' | 'fails') =>
          outcome === 'fails'
            ? reject(new AppError('internal', 'planned'))
            : resolve({ status: 200, headers: {}, body: Buffer.from(`answer ${answers++}`), voidCharge: undefined });
        const run = {
          workspaceId,
          chargeId: `chg_${name}`,
          fingerprint: Buffer.from(body, 'hex'),
          deadline: createRequestDeadline(clock),
        };
        const ended = runOnce(deps, run, () => {
          begun.push(Object.assign(sent, { settle }));
          return promise;
        });
        sent.ended = ended.then(
          (answer) => `${answer.body} ${answer.replayed}`,
          (error) => AppError.from(error).code,
        );
        return sent;
      };
      /** Exactly one execution begins, and it is one of these. */
      const oneBegins = async (among: readonly Sent[]) => {
        await expect.poll(() => begun.length, { interval: 1 }).toBe(1);
        const first = begun.pop() as Running;
        expect(among).toContain(first);
        running.set(first.name, first);
        return first;
      };
      const waitingFor = (name: number) => waiting.filter((sent) => sent.name === name);
      const stopWaiting = (ended: readonly Sent[]) =>
        waiting.splice(0, waiting.length, ...waiting.filter((sent) => !ended.includes(sent)));

      for (const next of script) {
        if (next.kind === 'send') {
          const sent = send(next.name, next.body);
          const before = stored.get(next.name);
          const twin = before ?? running.get(next.name);
          if (!twin) await oneBegins([sent]);
          else if (twin.body !== next.body) expect(await sent.ended).toBe('conflict');
          else if (before) expect(await sent.ended).toBe(`${before.text} true`);
          else waiting.push(sent);
        } else if (next.kind === 'answers' || next.kind === 'fails') {
          const settled = [...running.values()][next.which % Math.max(1, running.size)];
          if (!settled) continue;
          running.delete(settled.name);
          settled.settle(next.kind);
          const twins = waitingFor(settled.name);
          if (next.kind === 'fails') {
            expect(await settled.ended).toBe('internal');
            if (twins.length > 0) stopWaiting([await oneBegins(twins)]);
            continue;
          }
          const text = `answer ${answers - 1}`;
          stored.set(settled.name, { body: settled.body, text });
          expect(await settled.ended).toBe(`${text} false`);
          for (const { ended } of twins) expect(await ended).toBe(`${text} true`);
          stopWaiting(twins);
        } else if (next.kind === 'slot moves') {
          // A waiting request asks again and again, so its script may meet the slot while it moves, and fail.
          if (waiting.length > 0) continue;
          await moveSlot({ ports: nodes.ports, slot: cluster.slotOf(`idem:{${workspaceId}}:bytes`) });
        } else if (next.kind === 'response expires') {
          // Time does not pass while an execution runs, because a response is stored for longer than any request takes.
          if (running.has(next.name)) continue;
          await redis().client.del(`idem:{${workspaceId}}:chg_${next.name}`);
          stored.delete(next.name);
        } else {
          clock.advance(workTimeoutMs);
          for (const { ended } of waiting) expect(await ended).toBe('unavailable');
          waiting.length = 0;
        }
        expect(begun).toEqual([]);
      }
      for (const { settle, ended } of running.values()) {
        settle('answers');
        await ended;
      }
      await Promise.all(waiting.map(({ ended }) => ended));
    });
    await fc.assert(property, { numRuns: runsOf(form), endOnFailure: true });
  }, 120_000);
});
