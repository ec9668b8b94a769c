import { describe, expect, it } from 'vitest';
import { assumedRates, causes, noFlapping, only, type Rates, times } from './rates.ts';
import { falseReports, goalOf, shareInTime } from './report.ts';
import { type SimulationOptions, simulate } from './simulate.ts';

/** The model of `npm run simulate:signals`, small. The figures of the large one are in docs/accuracy.md. */
const small: SimulationOptions = { seeds: 3, stores: 150, days: 200, everyDays: 7, rates: assumedRates };
const run = (rates: Rates, over: Partial<SimulationOptions> = {}) => simulate({ ...small, ...over, rates });

describe('model of stores that flap', () => {
  it('the model of stores that flap gives the same result for the same seeds', () => {
    expect(run(assumedRates)).toEqual(run(assumedRates));
  });

  it('the model of stores that flap has false reports only of such stores: without flapping no method makes one', () => {
    const { methods } = run(noFlapping());
    for (const result of Object.values(methods)) expect(falseReports(result)).toBe(0);
  });

  it.each(causes.filter((cause) => cause !== 'A/B tests'))(
    '%s make a diff of one scan report what is not true',
    (cause) => {
      const { methods } = run(only(cause, { ...times(5), unrecognisedShare: 0.5 }));
      expect(falseReports(methods.oneScanDiff)).toBeGreaterThan(0);
      expect(falseReports(methods.ours)).toBeLessThan(falseReports(methods.oneScanDiff) / 10);
    },
  );
});

describe('profiles', () => {
  it('profiles make under 1 % of the false reports that comparing single scans makes when everything flaps five times as often', () => {
    const { methods } = run(times(5));
    expect(falseReports(methods.oneScanDiff)).toBeGreaterThan(300);
    expect(falseReports(methods.ours)).toBeLessThan(falseReports(methods.oneScanDiff) / 100);
  });

  it('profiles confirm at least 95 % of true removals and closures by scan 2, of moves by scan 3, and all later', () => {
    const { methods } = run(assumedRates, { stores: 300 });
    const { removal, closure, migration } = methods.ours.true;
    expect(removal.planted).toBeGreaterThan(200);
    expect(
      [shareInTime(removal, 2), shareInTime(closure, 2), shareInTime(migration, 3)].every((one) => one >= 0.95),
    ).toBe(true);
    for (const { planted, scans } of [removal, closure, migration]) expect(scans.length).toBe(planted);
  });

  it('profiles report nothing of what lasts less than six hours, however often scans follow each other within hours', () => {
    const brief = { ...noFlapping(), brokenReleases: 40, brokenReleaseHours: 0.8, askedAgainShare: 1 };
    const { methods } = run({ ...brief, removals: 0.001 }, { everyDays: 3 });
    expect(methods.oneScanDiff.false.removal).toBeGreaterThan(50);
    expect(methods.ours.false.removal).toBeLessThanOrEqual(1);
  });

  it('profiles take most of their false reports back with the next scan', () => {
    const { methods } = run({ ...only('outages', times(10)), downtimes: [{ stores: 1, down: 0.03 }] });
    const { ours } = methods;
    expect(falseReports(ours)).toBeGreaterThan(5);
    expect(ours.retracted / falseReports(ours)).toBeGreaterThan(0.8);
  });
});

it('the goal of the simulation names what is missed', () => {
  const result = run({ ...assumedRates, missPerVisit: 0.05 });
  expect(goalOf(result)).toEqual([
    expect.stringMatching(/^Missed: [\d.]+ false reports per 1,000 stores and year; the goal is less than 1\.$/),
  ]);
});
