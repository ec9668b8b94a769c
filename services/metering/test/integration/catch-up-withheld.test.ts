import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import type { ReserveItem } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reserveItem } from '../../src/inbound/decode.ts';
import type { Dependencies, Queues } from '../../src/operations/dependencies.ts';
import { reserveItems } from '../../src/operations/reserve-items.ts';
import { createQueues } from '../../src/service.ts';
import { itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

const nowMs = Date.now();
const executionAt = (n: number) => newId('exe', nowMs + n);

/** A retry has to know what its charge's earlier execution said, and Kafka does not tell. */
describe('a retry that waits for the ledger', () => {
  let metering: Metering;
  let deps: Dependencies;
  let queues: Queues;
  /** One for each time that somebody waits for the ledger. */
  let catchUps: PromiseWithResolvers<void>[];

  beforeAll(async () => {
    metering = await startMeterings('catch-up-withheld', { instances: 0 });
  });
  beforeEach(() => {
    catchUps = [];
    const caughtUp = () => {
      const withheld = Promise.withResolvers<void>();
      catchUps.push(withheld);
      return withheld.promise;
    };
    deps = { ...metering.deps, caughtUp };
    queues = createQueues(deps);
  });
  afterAll(() => metering?.stop());

  const ask = (items: ReserveItem[]) =>
    reserveItems(deps, queues, items.map(reserveItem), {
      origin,
      deadline: createDeadline(10_000, { clock: metering.clock }),
    });
  const outcomes = async (items: ReserveItem[]) => (await ask(items)).map((reserved) => reserved?.outcome);
  const reservedIn = async (workspaceId: string) => {
    const document = await metering.db.collection('allowances').findOne({ workspaceId });
    return document?.taken.lookupCached;
  };
  /** A retry of a charge that an earlier execution left open. */
  const doubtfulRetry = async (workspaceId: string): Promise<ReserveItem> => {
    const first = itemOf(workspaceId, { fingerprint: Buffer.from('body'), executionId: executionAt(1) });
    expect(await outcomes([first])).toEqual(['granted']);
    return { ...first, executionId: executionAt(2) };
  };
  const waiting = (count: number) => expect.poll(() => catchUps.length, { timeout: 20_000 }).toBe(count);

  it('keeps nobody else waiting, neither of its workspace nor of its call', async () => {
    const [ours, theirs] = [newWorkspace(), newWorkspace()];
    const retry = await doubtfulRetry(ours);
    const beside = itemOf(ours, { units: { lookupCached: 10 } });
    const retried = ask([retry, beside]);
    await waiting(1);
    // What came with it is decided before the ledger has caught up, and so is what comes after it.
    expect(await reservedIn(ours)).toBe(11);
    expect(await outcomes([itemOf(ours), itemOf(theirs)])).toEqual(['granted', 'granted']);
    catchUps[0]?.resolve();
    expect(await retried).toMatchObject([
      { outcome: 'granted', attempt: 2 },
      { outcome: 'granted', attempt: 1 },
    ]);
    expect([await reservedIn(ours), await reservedIn(theirs)]).toEqual([12, 1]);
  });

  it('fails alone when the ledger does not catch up', async () => {
    const workspaceId = newWorkspace();
    const retry = await doubtfulRetry(workspaceId);
    const asked = outcomes([retry, itemOf(workspaceId), itemOf(newWorkspace())]);
    await waiting(1);
    catchUps[0]?.reject(new Error('Kafka is away'));
    expect(await asked).toEqual([undefined, 'granted', 'granted']);
    expect(await reservedIn(workspaceId)).toBe(2);
  });

  it('waits anew when yet another execution opened an attempt meanwhile, and not for ever', async () => {
    const workspaceId = newWorkspace();
    const retry = await doubtfulRetry(workspaceId);
    const overtaking = [3, 4].map((n) => ({ ...retry, executionId: executionAt(n) }));
    const last = outcomes([{ ...retry, executionId: executionAt(9) }]);
    const failed = expect(last).rejects.toMatchObject({ code: 'internal' });
    for (const [n, other] of overtaking.entries()) {
      await waiting(2 * n + 1);
      const granted = outcomes([other]);
      await waiting(2 * n + 2);
      // The other one's wait ends first, and it opens the next attempt.
      catchUps[2 * n + 1]?.resolve();
      expect(await granted).toEqual(['granted']);
      catchUps[2 * n]?.resolve();
    }
    await failed;
    expect(await reservedIn(workspaceId)).toBe(1);
  });

  it('is answered undecided before the caller stops waiting, and what was granted beside it is told', async () => {
    const workspaceId = newWorkspace();
    const retry = await doubtfulRetry(workspaceId);
    // Of one batch, so that the other one is granted by the time that somebody waits for the ledger.
    const asked = outcomes([retry, itemOf(workspaceId)]);
    await waiting(1);
    metering.clock.advance(9_900);
    expect(await asked).toEqual([undefined, 'granted']);
    // The ledger catches up after all: the retry's time is over, so nothing is reserved that nobody was told of.
    catchUps[0]?.resolve();
    expect(await outcomes([itemOf(workspaceId)])).toEqual(['granted']);
    const charge = await metering.db.collection('charges').findOne({ workspaceId, fingerprint: { $ne: '' } });
    expect(charge?.attempt).toBe(1);
  });
});
