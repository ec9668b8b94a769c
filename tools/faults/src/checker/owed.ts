import { type Scenario, usualAfterMs } from '../faults/scenario.ts';
import type { Figures } from './figures.ts';
import { type Findings, promises } from './promises.ts';
import { shownAfterMs } from './revocation.ts';

/** From every fault, in the order of the report. */
const always = [
  promises.billing,
  promises.executions,
  promises.jobs,
  promises.merges,
  promises.allowance,
  promises.refusals,
  promises.admission,
  promises.replies,
  promises.recovery,
];
/** Beyond the time for which the cache's end is shown, so that requests fall into it. */
const marginMs = 1_000;

/** What every run of the fault has to show; what it does not is not measured, and no promise that held. */
export function owedBy(scenario: Scenario): string[] {
  const loadMs = scenario.holdMs[0] + (scenario.afterMs ?? usualAfterMs);
  const outlastsCache = scenario.isLong || loadMs >= shownAfterMs + marginMs;
  const saysMore = scenario.check !== undefined || scenario.exercises !== undefined;
  return [
    ...always,
    ...(outlastsCache ? [promises.revocation] : []),
    ...(scenario.isPushHarmed ? [] : [promises.push]),
    ...(saysMore ? [scenario.expected] : []),
  ];
}

/** Figures without which a promise had no chance to break. */
const needs: Readonly<Record<string, readonly string[]>> = {
  [promises.billing]: ['charges counted'],
  [promises.executions]: ['answered again'],
  [promises.jobs]: ['jobs'],
  [promises.merges]: ['jobs'],
  [promises.allowance]: ['allowance samples'],
};

/** Without the promises that nothing broke because nothing tried. */
export function exercisedOnly(findings: Findings, figures: Figures, scenario: Scenario): Findings {
  const neededFor = (promise: string) =>
    promise === scenario.expected ? (scenario.exercises ?? []) : (needs[promise] ?? []);
  return Object.fromEntries(
    Object.entries(findings).filter(
      ([promise, problems]) => problems.length > 0 || neededFor(promise).every((name) => (figures[name] ?? 0) > 0),
    ),
  );
}
