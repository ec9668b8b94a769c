import { newId } from '@shopscope/ids';
import { ReserveOutcome, type ReserveResult, UsageKind } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const { GRANTED, ALREADY_SETTLED, OUTRUN } = ReserveOutcome;

/** A gateway repeats a call after a lost response, while the first call may still be in progress. Any order is possible. */
describe('repeated and late Reserve calls', () => {
  let metering: Metering;

  beforeAll(async () => {
    metering = await startMeterings('repeated-reserve', { instances: 2 });
  });
  afterAll(() => metering?.stop());

  const nowMs = Date.now();
  const executionAt = (n: number) => newId('exe', nowMs + n);
  const reserve = async (item: ReturnType<typeof itemOf>, instance = 0): Promise<ReserveResult> => {
    const { results } = await (metering.clients[instance] as MeteringClient).reserve({ items: [item] });
    return results[0] as ReserveResult;
  };
  const usedAndReserved = async (workspaceId: string) => {
    const client = metering.clients[0] as MeteringClient;
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId] });
    return [balances[0]?.used?.lookupCached, balances[0]?.reserved?.lookupCached];
  };

  it('a repeated Reserve returns the attempt of its own execution and does not void it', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), units: { lookupCached: 3 } });
    const first = await reserve(item);
    const repeated = await reserve(item, 1);
    expect([repeated.outcome, repeated.attempt, repeated.units]).toEqual([GRANTED, 1, first.units]);
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 3]);
    await metering.publish([eventOf(item, first)]);
    await metering.settle();
    expect(await usedAndReserved(item.workspaceId)).toEqual([3, 0]);
  });

  it('a Reserve that is repeated after the event was counted changes nothing, and the execution can still void its charge', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), fingerprint: Buffer.from('body') });
    const first = await reserve(item);
    await metering.publish([eventOf(item, first)]);
    await metering.settle();
    expect((await reserve(item, 1)).attempt).toBe(1);
    expect(await usedAndReserved(item.workspaceId)).toEqual([1, 0]);
    await metering.publish([eventOf(item, first, UsageKind.VOID)]);
    await metering.settle();
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 0]);
  });

  it('a late Reserve never supersedes the attempt of a later execution', async () => {
    const workspaceId = newWorkspace();
    const keyed = { fingerprint: Buffer.from('body') };
    const early = itemOf(workspaceId, { ...keyed, executionId: executionAt(1) });
    const later = { ...early, executionId: executionAt(2) };
    await reserve(early);
    const granted = await reserve(later);
    expect([granted.outcome, granted.attempt]).toEqual([GRANTED, 2]);
    expect((await reserve(early, 1)).outcome).toBe(OUTRUN);
    await metering.publish([eventOf(later, granted)]);
    await metering.settle();
    expect(await usedAndReserved(workspaceId)).toEqual([1, 0]);
    // The late call does not confirm the attempt either, so the later execution can still void its charge.
    expect((await reserve(early)).outcome).toBe(OUTRUN);
    await metering.publish([eventOf(later, granted, UsageKind.VOID)]);
    await metering.settle();
    expect(await usedAndReserved(workspaceId)).toEqual([0, 0]);
  });

  it('a Reserve of a later execution replaces an open attempt, and reports a counted charge as settled', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), fingerprint: Buffer.from('body') });
    await reserve(item);
    const retry = { ...item, executionId: executionAt(2) };
    const granted = await reserve(retry);
    expect([granted.outcome, granted.attempt]).toEqual([GRANTED, 2]);
    await metering.publish([eventOf(retry, granted)]);
    await metering.settle();
    const voidCharge = () =>
      (metering.clients[0] as MeteringClient).voidCharge({
        chargeId: item.chargeId,
        attempt: granted.attempt,
        workspaceId: item.workspaceId,
        keyId: item.keyId,
      });
    expect((await reserve({ ...item, executionId: executionAt(3) })).outcome).toBe(ALREADY_SETTLED);
    // The retry may have responded already: VoidCharge returns that the attempt counts.
    expect((await voidCharge()).counts).toBe(true);
    expect(await usedAndReserved(item.workspaceId)).toEqual([1, 0]);
  });

  it('a counted charge without an Idempotency-Key can still be voided by its own request after a repeated Reserve', async () => {
    const alone = itemOf(newWorkspace());
    const billed = await reserve(alone);
    await metering.publish([eventOf(alone, billed)]);
    await metering.settle();
    const { chargeId, workspaceId, keyId } = alone;
    const voided = await (metering.clients[0] as MeteringClient).voidCharge({
      chargeId,
      workspaceId,
      keyId,
      attempt: billed.attempt,
    });
    expect(voided.counts).toBe(false);
  });

  it('a later Reserve waits for the catch-up: a durable event settles the charge, and a durable void opens a new attempt', async () => {
    const keyed = { fingerprint: Buffer.from('body'), units: { lookupCached: 2 } };
    for (const isVoided of [false, true]) {
      const item = itemOf(newWorkspace(), { ...keyed, executionId: executionAt(1) });
      const first = await reserve(item);
      // The events are durable and not yet consumed.
      await metering.publish([eventOf(item, first), ...(isVoided ? [eventOf(item, first, UsageKind.VOID)] : [])]);
      const retried = await reserve({ ...item, executionId: executionAt(2) });
      expect([retried.outcome, retried.attempt]).toEqual(isVoided ? [GRANTED, 2] : [ALREADY_SETTLED, 1]);
      await metering.settle();
      expect(await usedAndReserved(item.workspaceId)).toEqual(isVoided ? [0, 2] : [2, 0]);
    }
  });

  it('a repeated Reserve of an execution that has voided its attempt is refused', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1) });
    const granted = await reserve(item);
    await metering.publish([eventOf(item, granted, UsageKind.VOID)]);
    await metering.settle();
    expect((await reserve(item)).outcome).toBe(OUTRUN);
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 0]);
  });
});
