import { createDeadline } from '@shopscope/async';
import { hourMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { type RefundRequested, type ReserveItem, refundRequested, ScanUnit, unitsOf } from '@shopscope/proto';
import { runsOf, waitUntil } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Refund } from '../../src/domain/refund.ts';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { recordRefunds, settleDueRefunds } from '../../src/operations/settle-refunds.ts';
import { Crashed, crashingAt } from './crashing.ts';
import { eventOf, itemOf, type Metering, newWorkspace, noon, origin, startMeterings } from './harness.ts';

const deadline = () => createDeadline(10_000);

describe('refunds', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('refunds', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  const refundOf = (item: ReserveItem, over: Partial<Refund> = {}): Refund => ({
    jobId: newId('job'),
    workspaceId: item.workspaceId,
    chargeId: item.chargeId,
    unit: 'lookupLive',
    jobCreatedAtMs: metering.clock.now(),
    canceledAtMs: metering.clock.now(),
    ...over,
  });
  const chargeOf = (units: Parameters<typeof unitsOf>[0], fingerprint = '') =>
    itemOf(newWorkspace(), {
      units: units ?? {},
      included: { lookupCached: 100, lookupLive: 100, refreshRequested: 100 },
      fingerprint: Buffer.from(fingerprint),
      executionId: newId('exe', metering.clock.now()),
    });
  const opened = async (deps: Dependencies, item: ReserveItem) => {
    const [result] = await reserve(deps, [reserveItem(item)], deadline());
    if (!result || !('attempt' in result)) throw new Error('no attempt');
    return { attempt: result.attempt, periodStartMs: result.periodStartMs };
  };
  const record = (deps: Dependencies, item: ReserveItem, attempt: Awaited<ReturnType<typeof opened>>, kind = 'count') =>
    recordUsage(deps, [{ ...usageEvent(eventOf(item, attempt)), kind: kind as 'count' }], deadline());
  const usageOf = async ({ workspaceId }: ReserveItem, periodStartMs?: number) => {
    const { balance, keys } = await getUsage(
      metering.deps,
      workspaceId,
      { origin, deadline: deadline() },
      periodStartMs,
    );
    const { used, reserved } = balance;
    return { used, reserved, keys: keys.map(({ used: ofKey }) => ofKey) };
  };
  const refundRows = ({ workspaceId }: ReserveItem) =>
    metering.db.collection('ledger').find({ workspaceId, kind: 'refund' }).toArray();
  const repairs = ({ workspaceId }: ReserveItem, periodStartMs: number) =>
    reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs }]);

  it.each([
    ['lookupLive', { lookupCached: 2, lookupLive: 3 }, { lookupCached: 2, lookupLive: 2 }],
    ['refreshRequested', { refreshRequested: 1 }, {}],
  ] as const)('a refund gives one %s back, in usage, key, day and allowance, once', async (unit, billed, left) => {
    const item = chargeOf(billed);
    const attempt = await opened(metering.deps, item);
    await record(metering.deps, item, attempt);
    const refund = refundOf(item, { unit });
    for (let delivery = 0; delivery < 3; delivery++) await recordRefunds(metering.deps, [refund], deadline());
    await Promise.all(Array.from({ length: 4 }, () => recordRefunds(metering.deps, [refund], deadline())));
    expect(await usageOf(item)).toMatchObject({ used: unitsOf(left), reserved: unitsOf({}) });
    expect((await usageOf(item)).keys).toEqual([unitsOf(left)]);
    expect(await refundRows(item)).toMatchObject([
      { _id: `${item.chargeId}/1/${refund.jobId}`, kind: 'refund', keyId: item.keyId, units: { [unit]: -1 } },
    ]);
    expect(await repairs(item, attempt.periodStartMs)).toBe(0);
    // What went back can be sold again.
    const again = itemOf(item.workspaceId, {
      units: { [unit]: 1 },
      included: { [unit]: (left as never)[unit] + 1 || 1 },
    });
    await opened(metering.deps, again);
  });

  it('a refund that arrives before the usage event of its charge waits for it', async () => {
    const item = chargeOf({ lookupLive: 2 });
    const attempt = await opened(metering.deps, item);
    await recordRefunds(metering.deps, [refundOf(item)], deadline());
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({}), reserved: unitsOf({ lookupLive: 2 }) });
    await record(metering.deps, item, attempt);
    metering.clock.advance(hourMs / 12);
    await settleDueRefunds(metering.deps);
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 1 }), reserved: unitsOf({}) });
  });

  it('a refund that names a job of another workspace changes nothing, and the refunds beside it are settled', async () => {
    const items = [chargeOf({ lookupLive: 2 }), chargeOf({ lookupLive: 2 })] as const;
    for (const item of items) await record(metering.deps, item, await opened(metering.deps, item));
    const [theirs, good] = [refundOf(items[0]), refundOf(items[1])];
    await recordRefunds(metering.deps, [theirs], deadline());
    await recordRefunds(metering.deps, [refundOf(items[1], { jobId: theirs.jobId }), good], deadline());
    for (const item of items) expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 1 }) });
  });

  it('a refund of a charge that is voided gives nothing back, and ends', async () => {
    const item = chargeOf({ lookupLive: 1 });
    const attempt = await opened(metering.deps, item);
    await record(metering.deps, item, attempt, 'void');
    await recordRefunds(metering.deps, [refundOf(item)], deadline());
    await recordRefunds(metering.deps, [refundOf(item, { chargeId: newId('chg') })], deadline());
    for (let hour = 0; hour < 49; hour++) {
      metering.clock.advance(hourMs);
      await settleDueRefunds(metering.deps);
    }
    expect(await refundRows(item)).toEqual([]);
    expect(await metering.deps.refunds.countOpen(5_000)).toBe(0);
    metering.clock.setWall(noon);
  });

  it("a refund of another workspace's charge changes neither workspace", async () => {
    const item = chargeOf({ lookupLive: 1 });
    await record(metering.deps, item, await opened(metering.deps, item));
    await recordRefunds(metering.deps, [refundOf(item, { workspaceId: newWorkspace() })], deadline());
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 1 }) });
  });

  it('a refund of an ended period counts in the period of its charge', async () => {
    metering.clock.setWall(Date.UTC(2031, 4, 31, 23, 59));
    const item = chargeOf({ lookupLive: 2 });
    const attempt = await opened(metering.deps, item);
    await record(metering.deps, item, attempt);
    const refund = refundOf(item);
    metering.clock.setWall(Date.UTC(2031, 5, 1, 0, 10));
    await recordRefunds(metering.deps, [refund], deadline());
    expect(await usageOf(item, attempt.periodStartMs)).toMatchObject({ used: unitsOf({ lookupLive: 1 }) });
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({}) });
    expect(await repairs(item, attempt.periodStartMs)).toBe(0);
    metering.clock.setWall(noon);
  });

  it('a refund of an earlier job does not touch a later charge under the same Idempotency-Key', async () => {
    const item = chargeOf({ lookupLive: 1 }, 'body');
    await record(metering.deps, item, await opened(metering.deps, item), 'void');
    await recordRefunds(metering.deps, [refundOf(item)], deadline());
    metering.clock.advance(24 * hourMs);
    const later = { ...item, executionId: newId('exe', metering.clock.now()) };
    await record(metering.deps, later, await opened(metering.deps, later));
    await settleDueRefunds(metering.deps);
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 1 }) });
    metering.clock.setWall(noon);
  });

  it('a refund is part of the reversal of its attempt, and is given again when a retry bills the charge anew', async () => {
    const item = chargeOf({ lookupLive: 3 }, 'body');
    const first = await opened(metering.deps, item);
    await record(metering.deps, item, first);
    await recordRefunds(metering.deps, [refundOf(item)], deadline());
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 2 }) });
    for (let delivery = 0; delivery < 2; delivery++) await record(metering.deps, item, first, 'void');
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({}), reserved: unitsOf({}) });
    const retry = { ...item, executionId: '' };
    const second = await opened(metering.deps, retry);
    expect(second.attempt).toBe(2);
    await record(metering.deps, retry, second);
    await settleDueRefunds(metering.deps);
    expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 2 }), reserved: unitsOf({}) });
    expect(await refundRows(item)).toHaveLength(2);
    expect(await repairs(item, first.periodStartMs)).toBe(0);
  });

  it.each([
    ['the Idempotency-Key names another charge', true],
    ['the record of its charge is forgotten', false],
  ])('a refund is part of the reversal of its attempt also after %s', async (_, isFollowed) => {
    const item = chargeOf({ lookupLive: 3 }, 'body');
    const first = await opened(metering.deps, item);
    await record(metering.deps, item, first);
    await recordRefunds(metering.deps, [refundOf(item)], deadline());
    metering.clock.advance(24 * hourMs);
    if (isFollowed) {
      const later = { ...item, executionId: newId('exe', metering.clock.now()) };
      await record(metering.deps, later, await opened(metering.deps, later));
    } else await metering.db.collection<{ _id: string }>('charges').deleteOne({ _id: item.chargeId });
    for (let delivery = 0; delivery < 2; delivery++) await record(metering.deps, item, first, 'void');
    const left = unitsOf({ lookupLive: isFollowed ? 3 : 0 });
    expect(await usageOf(item)).toMatchObject({ used: left, reserved: unitsOf({}) });
    await settleDueRefunds(metering.deps);
    expect(await usageOf(item)).toMatchObject({ used: left });
    expect(await refundRows(item)).toHaveLength(1);
    expect(await repairs(item, first.periodStartMs)).toBe(0);
    metering.clock.setWall(noon);
  });

  it('charge, void, retry and refund, in any order, leave the units of the last attempt less one unit per canceled job', async () => {
    const steps = ['count', 'void', 'retry', 'cancel', 'cancel', 'settle'] as const;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...steps, ...steps], { minLength: 3 }), async (order) => {
        let item = chargeOf({ lookupLive: 6 }, 'body');
        const attempts = [await opened(metering.deps, item)];
        const canceled: Refund[] = [];
        for (const step of order) {
          const latest = attempts.at(-1) as (typeof attempts)[number];
          if (step === 'cancel') {
            canceled.push(refundOf(item));
            await recordRefunds(metering.deps, canceled, deadline());
          } else if (step === 'settle') {
            metering.clock.advance(hourMs / 6);
            await settleDueRefunds(metering.deps);
          } else if (step === 'retry') {
            item = { ...item, executionId: newId('exe', metering.clock.now()) };
            const [found] = await reserve(metering.deps, [{ ...reserveItem(item), executionId: '' }], deadline());
            if (found && 'attempt' in found) attempts.push(found);
          } else await record(metering.deps, item, latest, step);
        }
        metering.clock.advance(hourMs);
        await settleDueRefunds(metering.deps);
        const rows = await metering.db
          .collection('ledger')
          .find({ workspaceId: item.workspaceId })
          .sort({ _id: 1 })
          .toArray();
        const { used, reserved } = await usageOf(item);
        const last = attempts.at(-1)?.attempt;
        const states = rows.filter(({ _id, kind }) => kind !== 'refund' && String(_id).includes(`/${last}/`));
        const isCounted = states.at(-1)?.kind === 'charge';
        expect(used.lookupLive).toBe(isCounted ? 6 - canceled.length : 0);
        expect(rows.reduce((sum, { units }) => sum + (units.lookupLive ?? 0), 0)).toBe(used.lookupLive);
        expect(reserved.lookupLive).toBe(states.length === 0 ? 6 : 0);
        expect(await repairs(item, attempts[0]?.periodStartMs as number)).toBe(0);
        metering.clock.setWall(noon);
      }),
      runsOf({ byDay: 10, atNight: 25 }),
    );
  });

  it.each(['before', 'after'] as const)(
    'a refund is given once when the instance crashes %s any call of the database',
    async (when) => {
      let crashed = true;
      for (let nth = 1; crashed; nth++) {
        const item = chargeOf({ lookupLive: 3 });
        const attempt = await opened(metering.deps, item);
        await record(metering.deps, item, attempt);
        const refund = refundOf(item);
        const crashing = crashingAt(metering.deps, nth, when);
        crashed = false;
        try {
          await recordRefunds(crashing, [refund], deadline());
        } catch (error) {
          if (!(error instanceof Crashed)) throw error;
          crashed = true;
          // The offset was not committed, so another instance reads the event again.
          await recordRefunds(metering.deps, [refund], deadline());
        }
        expect(await usageOf(item)).toMatchObject({ used: unitsOf({ lookupLive: 2 }) });
        expect(await refundRows(item)).toHaveLength(1);
        expect(await repairs(item, attempt.periodStartMs)).toBe(0);
        expect(nth).toBeLessThan(100);
      }
    },
    60_000,
  );

  it('a refund comes from refund-requests.v1, and an unreadable one goes to the dead letters', async () => {
    await metering.startInstance();
    const item = chargeOf({ lookupLive: 1 });
    await record(metering.deps, item, await opened(metering.deps, item));
    const { unit: _, ...refund } = refundOf(item);
    const event: RefundRequested = { ...refund, unit: ScanUnit.LOOKUP_LIVE };
    const bad = [
      { ...event, unit: ScanUnit.UNSPECIFIED },
      { ...event, jobId: 'a/b' },
    ];
    await metering.producer.publishMany(refundRequested.live, [...bad, event, event], origin, { timeoutMs: 10_000 });
    await waitUntil('the refund', async () => (await refundRows(item)).length === 1);
    const deadLetters = async () => {
      const ends = await metering.kafka.endOffsets(`${refundRequested.live.topic}.dlq`);
      return [...ends.values()].reduce((sum, end) => sum + Number(end), 0);
    };
    await expect.poll(deadLetters).toBe(2);
  });
});
