import { createDeadline } from '@shopscope/async';
import { ReserveOutcome, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem } from '../../src/inbound/decode.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import {
  eventOf,
  itemOf,
  type Metering,
  type MeteringClient,
  newCharge,
  newWorkspace,
  origin,
  startMeterings,
} from './harness.ts';

describe('charges of other workspaces', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('other-workspaces');
  });
  afterAll(() => metering?.stop());

  const open = async (workspaceId: string, lookupCached: number) => {
    const item = itemOf(workspaceId, { units: { lookupCached } });
    const [result] = await reserve(metering.deps, [reserveItem(item)], createDeadline(5_000));
    return { item, result: result as never };
  };
  const usedBy = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: createDeadline(5_000) });
    return { used: balance.used, reserved: balance.reserved };
  };
  const onlyUsed = (lookupCached: number) => ({ used: unitsOf({ lookupCached }), reserved: unitsOf({}) });

  it('an event that names a counted charge of another workspace changes nothing, and the events behind it are counted', async () => {
    const [own, other] = [newWorkspace(), newWorkspace()];
    const theirs = await open(own, 1);
    await metering.publish([eventOf(theirs.item, theirs.result)]);
    await metering.settle();
    const good = await open(other, 2);
    await metering.publish([
      eventOf({ ...theirs.item, workspaceId: other }, theirs.result),
      eventOf(good.item, good.result),
    ]);
    await metering.settle();
    expect(await usedBy(own)).toEqual(onlyUsed(1));
    expect(await usedBy(other)).toEqual(onlyUsed(2));
    expect(await metering.deadLetters()).toBe(0);
  });

  it('an event that names an open charge of another workspace changes nothing, and the charge is counted afterwards', async () => {
    const [own, other] = [newWorkspace(), newWorkspace()];
    const theirs = await open(own, 1);
    await metering.publish([eventOf({ ...theirs.item, workspaceId: other }, theirs.result)]);
    await metering.settle();
    expect(await usedBy(other)).toEqual(onlyUsed(0));
    await metering.publish([eventOf(theirs.item, theirs.result)]);
    await metering.settle();
    expect(await usedBy(own)).toEqual(onlyUsed(1));
    expect(await metering.deadLetters()).toBe(0);
  });

  it('a Reserve of a charge of another workspace is refused, and the other items of its batch are granted', async () => {
    const [client] = metering.clients as [MeteringClient];
    const [own, other] = [newWorkspace(), newWorkspace()];
    const theirs = await open(own, 1);
    for (const fingerprint of [Buffer.alloc(0), Buffer.alloc(32, 1)]) {
      const items = [theirs.item.chargeId, newCharge()].map((chargeId) => itemOf(other, { chargeId, fingerprint }));
      const { results } = await client.reserve({ items });
      expect(results.map(({ outcome }) => outcome)).toEqual([
        ReserveOutcome.FINGERPRINT_MISMATCH,
        ReserveOutcome.GRANTED,
      ]);
    }
    expect((await usedBy(other)).reserved).toEqual(unitsOf({ lookupCached: 2 }));
    expect((await usedBy(own)).reserved).toEqual(unitsOf({ lookupCached: 1 }));
  });
});
