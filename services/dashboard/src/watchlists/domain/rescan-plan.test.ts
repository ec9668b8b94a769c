import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rescanPlanOf, unitsPerMonth } from './rescan-plan.ts';

const facts = { stores: 2_500, budget: null, included: 500, freshnessDays: 7 };

it('500 units rescan 500 of 2,500 stores in a month, and all of them in 5 months', () => {
  expect(rescanPlanOf(facts)).toEqual({ units: 500, reached: 500, months: 5, fittingDays: 155 });
});

it('a budget that is smaller than the allowance bounds the month and the interval', () => {
  expect(rescanPlanOf({ ...facts, budget: 100 })).toMatchObject({ units: 100, reached: 100, months: 25 });
  expect(rescanPlanOf({ ...facts, stores: 40, budget: 100 })).toMatchObject({ fittingDays: 13 });
});

it('the proposed interval is never shorter than the freshness of the plan, and an empty watchlist has one, too', () => {
  expect(rescanPlanOf({ ...facts, stores: 40 })).toMatchObject({ months: 1, fittingDays: 7 });
  expect(rescanPlanOf({ ...facts, stores: 0 })).toMatchObject({ reached: 0, fittingDays: 7 });
});

it('no interval fits if the plan has no units, or too few for the longest interval that the API accepts', () => {
  const none = { reached: 0, months: undefined, fittingDays: undefined };
  expect(rescanPlanOf({ ...facts, included: 0 })).toMatchObject(none);
  expect(rescanPlanOf({ ...facts, budget: 0 })).toMatchObject(none);
  expect(rescanPlanOf({ ...facts, stores: 250_000, included: 1 })).toMatchObject({ fittingDays: undefined });
});

it('the rescans of the proposed interval fit into each month, and no shorter interval does', () => {
  const count = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(count(250_000), count(100_000), count(60), (stores, included, freshnessDays) => {
      const { fittingDays } = rescanPlanOf({ stores, budget: null, included, freshnessDays });
      if (fittingDays === undefined) return;
      expect(unitsPerMonth(stores, fittingDays)).toBeLessThanOrEqual(included);
      if (fittingDays > freshnessDays) expect(unitsPerMonth(stores, fittingDays - 1)).toBeGreaterThan(included);
    }),
  );
});
