import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import type { ReserveItem } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueues } from '../../src/create-dependencies.ts';
import { reserveItem } from '../../src/inbound/decode.ts';
import type { Dependencies, Queues } from '../../src/operations/dependencies.ts';
import { reserveItems } from '../../src/operations/reserve-items.ts';
import { itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

const nowMs = Date.now();
const executionAt = (n: number) => newId('exe', nowMs + n);

/** A retry needs the usage events of the earlier execution of its charge, and the catch-up with Kafka is pending. */
describe('retries that wait for the catch-up', () => {
  let metering: Metering;
  let deps: Dependencies;
  let queues: Queues;
  /** One per call of `caughtUp`. */
  let catchUps: PromiseWithResolvers<void>[];

  beforeAll(async () => {
    metering = await startMeterings('catch-up-pending', { instances: 0 });
  });
  beforeEach(() => {
    catchUps = [];
    const caughtUp = () => {
      const pending = Promise.withResolvers<void>();
      catchUps.push(pending);
      return pending.promise;
    };
    deps = { ...metering.deps, caughtUp };
    queues = createQueues(deps);
  });
  afterAll(() => metering?.stop());

  const reserveAll = (items: ReserveItem[]) =>
    reserveItems(deps, queues, items.map(reserveItem), {
      origin,
      deadline: createDeadline(10_000, { clock: metering.clock }),
    });
  const outcomes = async (items: ReserveItem[]) => (await reserveAll(items)).map((reserved) => reserved?.outcome);
  const reservedIn = async (workspaceId: string) => {
    const document = await metering.db.collection('allowances').findOne({ workspaceId });
    return document?.taken.lookupCached;
  };
  /** A retry of a charge that an earlier execution left open. */
  const retryOfOpenAttempt = async (workspaceId: string): Promise<ReserveItem> => {
    const first = itemOf(workspaceId, { fingerprint: Buffer.from('body'), executionId: executionAt(1) });
    expect(await outcomes([first])).toEqual(['granted']);
    return { ...first, executionId: executionAt(2) };
  };
  const waiting = (count: number) => expect.poll(() => catchUps.length).toBe(count);

  it('a retry that waits for the catch-up delays no other item, neither of its workspace nor of its call', async () => {
    const [ours, theirs] = [newWorkspace(), newWorkspace()];
    const retry = await retryOfOpenAttempt(ours);
    const beside = itemOf(ours, { units: { lookupCached: 10 } });
    const retried = reserveAll([retry, beside]);
    await waiting(1);
    // The other item of the call and later calls are decided before the end of the catch-up.
    expect(await reservedIn(ours)).toBe(11);
    expect(await outcomes([itemOf(ours), itemOf(theirs)])).toEqual(['granted', 'granted']);
    catchUps[0]?.resolve();
    expect(await retried).toMatchObject([
      { outcome: 'granted', attempt: 2 },
      { outcome: 'granted', attempt: 1 },
    ]);
    expect([await reservedIn(ours), await reservedIn(theirs)]).toEqual([12, 1]);
  });

  it('a retry that waits for the catch-up fails alone when the catch-up fails', async () => {
    const workspaceId = newWorkspace();
    const retry = await retryOfOpenAttempt(workspaceId);
    const results = outcomes([retry, itemOf(workspaceId), itemOf(newWorkspace())]);
    await waiting(1);
    catchUps[0]?.reject(new Error('Kafka is unavailable'));
    expect(await results).toEqual([undefined, 'granted', 'granted']);
    expect(await reservedIn(workspaceId)).toBe(2);
  });

  it('a retry waits for the catch-up again when another execution opened an attempt meanwhile, and fails after two waits', async () => {
    const workspaceId = newWorkspace();
    const retry = await retryOfOpenAttempt(workspaceId);
    const overtaking = [3, 4].map((n) => ({ ...retry, executionId: executionAt(n) }));
    const last = outcomes([{ ...retry, executionId: executionAt(9) }]);
    const failed = expect(last).rejects.toMatchObject({ code: 'internal' });
    for (const [n, other] of overtaking.entries()) {
      await waiting(2 * n + 1);
      const granted = outcomes([other]);
      await waiting(2 * n + 2);
      // The catch-up of the other execution ends first, and it opens the next attempt.
      catchUps[2 * n + 1]?.resolve();
      expect(await granted).toEqual(['granted']);
      catchUps[2 * n]?.resolve();
    }
    await failed;
    expect(await reservedIn(workspaceId)).toBe(1);
  });

  it('a retry that waits for the catch-up is undecided shortly before its deadline, and the other grants are returned', async () => {
    const workspaceId = newWorkspace();
    const retry = await retryOfOpenAttempt(workspaceId);
    // Both items are in one batch, so the other item is granted before the catch-up starts.
    const results = outcomes([retry, itemOf(workspaceId)]);
    await waiting(1);
    metering.clock.advance(9_900);
    expect(await results).toEqual([undefined, 'granted']);
    // The catch-up succeeds later. The deadline of the retry has passed, so the retry opens no attempt.
    catchUps[0]?.resolve();
    expect(await outcomes([itemOf(workspaceId)])).toEqual(['granted']);
    const charge = await metering.db.collection('charges').findOne({ workspaceId, fingerprint: { $ne: '' } });
    expect(charge?.attempt).toBe(1);
  });
});
