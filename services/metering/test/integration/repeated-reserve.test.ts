import { newId } from '@shopscope/ids';
import { ReserveOutcome, type ReserveResult, UsageKind } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const { GRANTED, ALREADY_SETTLED, OUTRUN } = ReserveOutcome;

/** A call whose answer was lost is sent again while the first may still be under way; either may come second. */
describe('a Reserve that arrives again, or late', () => {
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
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId], origins: [] });
    return [balances[0]?.used?.lookupCached, balances[0]?.reserved?.lookupCached];
  };

  it('finds the attempt of its own execution: what that one billed is not voided', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), units: { lookupCached: 3 } });
    const answered = await reserve(item);
    const repeated = await reserve(item, 1);
    expect([repeated.outcome, repeated.attempt, repeated.units]).toEqual([GRANTED, 1, answered.units]);
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 3]);
    await metering.publish([eventOf(item, answered)]);
    await metering.settle();
    expect(await usedAndReserved(item.workspaceId)).toEqual([3, 0]);
  });

  it('after the event was counted changes nothing, and the execution can still take its charge back', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), fingerprint: Buffer.from('body') });
    const answered = await reserve(item);
    await metering.publish([eventOf(item, answered)]);
    await metering.settle();
    expect((await reserve(item, 1)).attempt).toBe(1);
    expect(await usedAndReserved(item.workspaceId)).toEqual([1, 0]);
    await metering.publish([eventOf(item, answered, UsageKind.VOID)]);
    await metering.settle();
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 0]);
  });

  it('never takes the place of a later execution, whose event is durable and not yet counted', async () => {
    const workspaceId = newWorkspace();
    const keyed = { fingerprint: Buffer.from('body') };
    const early = itemOf(workspaceId, { ...keyed, executionId: executionAt(1) });
    const later = { ...early, executionId: executionAt(2) };
    await reserve(early);
    const answered = await reserve(later);
    expect([answered.outcome, answered.attempt]).toEqual([GRANTED, 2]);
    expect((await reserve(early, 1)).outcome).toBe(OUTRUN);
    await metering.publish([eventOf(later, answered)]);
    await metering.settle();
    expect(await usedAndReserved(workspaceId)).toEqual([1, 0]);
    // Nor does it count as an answer to a retry, which would keep the later one from taking its charge back.
    expect((await reserve(early)).outcome).toBe(OUTRUN);
    await metering.publish([eventOf(later, answered, UsageKind.VOID)]);
    await metering.settle();
    expect(await usedAndReserved(workspaceId)).toEqual([0, 0]);
  });

  it('of a retry supersedes what its execution left open, and finds settled what it billed', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1), fingerprint: Buffer.from('body') });
    await reserve(item);
    const retry = { ...item, executionId: executionAt(2) };
    const granted = await reserve(retry);
    expect([granted.outcome, granted.attempt]).toEqual([GRANTED, 2]);
    await metering.publish([eventOf(retry, granted)]);
    await metering.settle();
    const takeBack = () =>
      (metering.clients[0] as MeteringClient).voidCharge({
        chargeId: item.chargeId,
        attempt: granted.attempt,
        workspaceId: item.workspaceId,
        keyId: item.keyId,
        origin: undefined,
      });
    expect((await reserve({ ...item, executionId: executionAt(3) })).outcome).toBe(ALREADY_SETTLED);
    // The retry may have been heard: whoever would take the charge back learns that it counts.
    expect((await takeBack()).counts).toBe(true);
    expect(await usedAndReserved(item.workspaceId)).toEqual([1, 0]);
    const alone = itemOf(newWorkspace());
    const billed = await reserve(alone);
    await metering.publish([eventOf(alone, billed)]);
    await metering.settle();
    const { chargeId, workspaceId, keyId } = alone;
    const undone = await (metering.clients[0] as MeteringClient).voidCharge({
      ...{ chargeId, workspaceId, keyId },
      attempt: billed.attempt,
      origin: undefined,
    });
    expect(undone.counts).toBe(false);
  });

  it('of a retry waits until the ledger has what is durable: settled is settled, taken back is taken back', async () => {
    const keyed = { fingerprint: Buffer.from('body'), units: { lookupCached: 2 } };
    for (const isTakenBack of [false, true]) {
      const item = itemOf(newWorkspace(), { ...keyed, executionId: executionAt(1) });
      const answered = await reserve(item);
      // Durable, and read by nobody yet.
      await metering.publish([
        eventOf(item, answered),
        ...(isTakenBack ? [eventOf(item, answered, UsageKind.VOID)] : []),
      ]);
      const retried = await reserve({ ...item, executionId: executionAt(2) });
      expect([retried.outcome, retried.attempt]).toEqual(isTakenBack ? [GRANTED, 2] : [ALREADY_SETTLED, 1]);
      await metering.settle();
      expect(await usedAndReserved(item.workspaceId)).toEqual(isTakenBack ? [0, 2] : [2, 0]);
    }
  });

  it('of an execution that took its attempt back is refused', async () => {
    const item = itemOf(newWorkspace(), { executionId: executionAt(1) });
    const granted = await reserve(item);
    await metering.publish([eventOf(item, granted, UsageKind.VOID)]);
    await metering.settle();
    expect((await reserve(item)).outcome).toBe(OUTRUN);
    expect(await usedAndReserved(item.workspaceId)).toEqual([0, 0]);
  });
});
