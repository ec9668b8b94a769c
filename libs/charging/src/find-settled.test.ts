import { ManualClock } from '@shopscope/clock';
import { noUnits, type ReserveItem, ReserveOutcome, unitsOf } from '@shopscope/proto';
import { expect, it } from 'vitest';
import type { ChargeDependencies } from './charge-units.ts';
import { findSettled } from './find-settled.ts';
import { createRequestDeadline } from './request-deadline.ts';

const included = unitsOf({ lookupCached: 100 });

function setUp(outcome: ReserveOutcome) {
  const clock = new ManualClock();
  const items: ReserveItem[] = [];
  const outcomes: string[] = [];
  const metering = {
    async reserve(item: ReserveItem) {
      items.push(item);
      return {
        outcome,
        attempt: 2,
        units: unitsOf({ lookupCached: 7 }),
        periodStartMs: 0,
        exhaustedUnit: '',
        lentForMs: 0,
      };
    },
  } as unknown as ChargeDependencies['metering'];
  const deps = { clock, metering, onCharge: (each: string) => outcomes.push(each) };
  const find = () =>
    findSettled(deps, {
      chargeId: 'chg_1',
      fingerprint: Buffer.from('step'),
      isPermanent: true,
      caller: { workspaceId: 'ws_1', keyId: 'key_1', plan: { included } },
      origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
      deadline: createRequestDeadline(clock),
    });
  return { items, outcomes, find };
}

it('the units of a settled charge are found without a reservation of units', async () => {
  const { items, outcomes, find } = setUp(ReserveOutcome.ALREADY_SETTLED);
  expect(await find()).toEqual(unitsOf({ lookupCached: 7 }));
  expect(items).toMatchObject([{ chargeId: 'chg_1', units: noUnits, included, isPermanent: true }]);
  expect(outcomes).toEqual(['settled_before']);
});

it('a charge that no execution has settled has no units', async () => {
  const { find } = setUp(ReserveOutcome.GRANTED);
  expect(await find()).toBeUndefined();
});

it.each([
  [ReserveOutcome.FINGERPRINT_MISMATCH, 'conflict'],
  [ReserveOutcome.OUTRUN, 'internal'],
])('an undecided charge is an error, and not one without units (outcome %s)', async (outcome, code) => {
  const { find } = setUp(outcome);
  await expect(find()).rejects.toMatchObject({ code });
});
