import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import type { ReserveItem } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { commandsDuring, eventOf, itemOf, type Metering, newWorkspace, startMeterings } from './harness.ts';

/** The round trips to the database are most of the cost of a GET request. */
describe('batches of reservations', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('reserve-commands', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  const decide = async (items: ReserveItem[]) => {
    const results = await reserve(metering.deps, items.map(reserveItem), createDeadline(10_000));
    return results.map((result) => ('attempt' in result ? [result.outcome, result.attempt] : [result.outcome]));
  };
  const during = (work: () => Promise<unknown>) => commandsDuring(metering, work);
  const takenIn = async (workspaceId: string) =>
    (await metering.db.collection('allowances').findOne({ workspaceId }))?.taken.lookupCached;
  const unnamed = (workspaceId: string, count: number) =>
    Array.from({ length: count }, (_, n) => itemOf(workspaceId, { executionId: newId('exe', Date.now() + n) }));
  /** A workspace with an allowance document. */
  const known = async () => {
    const workspaceId = newWorkspace();
    expect(await decide(unnamed(workspaceId, 1))).toEqual([['granted', 1]]);
    return workspaceId;
  };

  it('a batch of reservations without an Idempotency-Key needs three commands: the allowance, the charges, the commit', async () => {
    const workspaceId = await known();
    const items = unnamed(workspaceId, 50);
    const commands = await during(async () => expect(await decide(items)).toEqual(items.map(() => ['granted', 1])));
    expect(commands).toEqual({ 'findAndModify ok': 1, 'insert ok': 1, 'commitTransaction ok': 1 });
    expect(await takenIn(workspaceId)).toBe(51);
  });

  it('a batch of events is counted with four commands, daily counters included: records, ledger, counters, commit', async () => {
    const workspaceId = await known();
    const items = unnamed(workspaceId, 50);
    const results = await reserve(metering.deps, items.map(reserveItem), createDeadline(10_000));
    const events = items.map((item, n) => usageEvent(eventOf(item, results[n] as never)));
    const commands = await during(() => recordUsage(metering.deps, events, createDeadline(10_000)));
    expect(commands).toEqual({ 'aggregate ok': 1, 'insert ok': 1, 'update ok': 1, 'commitTransaction ok': 1 });
    expect(await metering.db.collection('usage_counters').findOne({ workspaceId, keyId: 'key_a' })).toMatchObject({
      used: { lookupCached: 50 },
      days: { '2031-05-15': { lookupCached: 50 } },
    });
  });

  it('a batch of reservations with a repeated call falls back to reading and takes no units twice', async () => {
    const workspaceId = await known();
    const items = unnamed(workspaceId, 3);
    await decide(items);
    const repeated = [...items, ...unnamed(workspaceId, 2)];
    expect(await decide(repeated)).toEqual(repeated.map(() => ['granted', 1]));
    expect(await takenIn(workspaceId)).toBe(6);
  });

  it('a batch with a repeated call grants its units again when the allowance is exhausted, and refuses a new call', async () => {
    const workspaceId = await known();
    const limited = (executionId: string) => itemOf(workspaceId, { executionId, included: { lookupCached: 2 } });
    const [first, second] = [limited(newId('exe')), limited(newId('exe'))];
    expect(await decide([first])).toEqual([['granted', 1]]);
    // The response of the first call was lost: the call is repeated in one batch with a new one.
    expect(await decide([first, second])).toEqual([['granted', 1], ['exhausted']]);
    expect(await decide([first])).toEqual([['granted', 1]]);
    expect(await takenIn(workspaceId)).toBe(2);
  });

  it('batches of reservations in concurrent instances take the units of each charge once', async () => {
    const workspaceId = await known();
    const items = unnamed(workspaceId, 20);
    const decisions = await Promise.all([decide(items), decide(items), decide(items)]);
    expect(decisions).toEqual([0, 1, 2].map(() => items.map(() => ['granted', 1])));
    expect(await takenIn(workspaceId)).toBe(21);
  });
});
