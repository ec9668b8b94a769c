import { expect, it } from 'vitest';
import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import { scenarioNamed, scenarios } from './faults/index.ts';
import { isDue, type Result, reasonUnproven, resultOf, withRun } from './results.ts';

const run = (more: Partial<Result>): Omit<Result, 'runs'> => ({
  scenario: 'redis-cut',
  seed: 1,
  outcome: 'held',
  product: 'now',
  commit: 'abc',
  promises: [],
  ...more,
});
const whole = run({});
const half = run({ promises: ['replies'] });
const broken = run({ outcome: 'broken', promises: ['executions'] });
/** The result after these runs. */
const after = (...runs: Omit<Result, 'runs'>[]) =>
  runs
    .reduce<Result[]>(withRun, [])
    .find(({ scenario, seed, product }) => scenario === 'redis-cut' && seed === 1 && product === 'now');

it('a broken run makes its fault due again, and the latest run of the current content counts', () => {
  const isHeld = (...runs: Omit<Result, 'runs'>[]) => !isDue(after(...runs));
  expect(isHeld(broken)).toBe(false);
  expect(isHeld(broken, whole)).toBe(true);
  expect(isHeld(whole, broken)).toBe(false);
  expect(isHeld({ ...whole, product: 'before' })).toBe(false);
  expect(isHeld({ ...broken, product: 'before' }, whole)).toBe(true);
  expect(isHeld({ ...whole, seed: 2 }, run({ scenario: 'redis-kill' }))).toBe(false);
});

it('a promise that was not measured makes the fault due again, up to three runs, and the run that measured most counts', () => {
  expect([isDue(after(half)), isDue(after(half, half)), isDue(after(half, half, half))]).toEqual([true, true, false]);
  expect(isDue(after(half, whole))).toBe(false);
  expect(after(whole, half)).toMatchObject(whole);
  expect(after(whole, broken, half)).toMatchObject(half);
  expect(after(half, broken)).toMatchObject(broken);
});

it('a mutant is due until it was caught', () => {
  expect(isDue(after(run({ outcome: 'caught' })))).toBe(false);
  expect(isDue(after(run({ outcome: 'not caught' })))).toBe(true);
  expect(isDue(after(run({ outcome: 'not caught' }), run({ outcome: 'caught' })))).toBe(false);
});

it('a result names the broken promises of its run, or the required ones that the run did not measure', () => {
  const scenario = scenarioNamed('redis-cut');
  const held = Object.fromEntries(requiredChecksOf(scenario).map((promise) => [promise, []]));
  expect(resultOf(scenario, held)).toEqual({ outcome: 'held', promises: [] });
  const { [promises.replies]: _, [scenario.expected]: __, ...less } = held;
  expect(resultOf(scenario, less)).toEqual({ outcome: 'held', promises: ['replies', 'expected'] });
  expect(resultOf(scenario, { ...less, [promises.jobs]: ['two jobs'], [promises.end]: ['it hung'] })).toEqual({
    outcome: 'broken',
    promises: ['jobs', 'end'],
  });
});

it('a result of the faults is not proof when it is missing, broken or not fully measured', () => {
  expect(reasonUnproven(undefined)).toBe('not run');
  expect(reasonUnproven(after(broken))).toBe('broken');
  expect(reasonUnproven(after(whole))).toBeUndefined();
  expect(reasonUnproven(after(half))).toBe('not measured: replies');
});

it('the required promises include revocation for a long fault, the push unless the fault affects it, and the expectation', () => {
  const requiredOf = (name: string) => requiredChecksOf(scenarioNamed(name));
  expect(requiredOf('gateway-stop')).toContain(promises.revocation);
  expect(requiredOf('keys-kill')).not.toContain(promises.revocation);
  expect(requiredOf('two-at-a-time')).toContain(promises.revocation);
  expect(requiredOf('mongod-kill')).not.toContain(promises.push);
  expect(requiredOf('redis-kill')).toContain(promises.push);
  for (const scenario of scenarios) expect(requiredChecksOf(scenario)).toContain(scenario.expected);
});
