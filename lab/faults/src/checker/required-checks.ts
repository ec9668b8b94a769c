import { defaultLoadAfterMs, type Scenario } from '../faults/scenario.ts';
import type { Figures } from './figures.ts';
import { type Findings, promises } from './promises.ts';
import { measuredAfterMs } from './revocation.ts';

/** The promises that every fault must show, in the order of the report. */
const always = [
  promises.billing,
  promises.executions,
  promises.jobs,
  promises.merges,
  promises.allowance,
  promises.lending,
  promises.sold,
  promises.returned,
  promises.refusals,
  promises.admission,
  promises.replies,
  promises.recovery,
];
/** The load lasts this much longer than cached keys, so that some requests begin after they have expired. */
const marginMs = 1_000;

/** Returns the promises that every run of the scenario must show. A promise that is not in the findings counts as not measured, never as held. */
export function requiredChecksOf(scenario: Scenario): string[] {
  const loadMs = scenario.durationMs[0] + (scenario.loadAfterMs ?? defaultLoadAfterMs);
  const outlastsCache = scenario.isLong || loadMs >= measuredAfterMs + marginMs;
  const hasExpectation = scenario.check !== undefined || scenario.requiredFigures !== undefined;
  return [
    ...always,
    ...(outlastsCache ? [promises.revocation] : []),
    ...(scenario.breaksRevocationPush ? [] : [promises.push]),
    ...(hasExpectation ? [scenario.expected] : []),
  ];
}

/** The figures that must be above 0 for each promise. Otherwise the run could not have broken the promise. */
const needs: Readonly<Record<string, readonly string[]>> = {
  [promises.billing]: ['charges counted'],
  [promises.executions]: ['answered again'],
  [promises.jobs]: ['jobs'],
  [promises.merges]: ['jobs'],
  [promises.allowance]: ['allowance samples'],
  [promises.lending]: ['scarce refused', 'charges of leases'],
  [promises.sold]: ['workspaces sold out', 'charges of leases'],
  [promises.returned]: ['charges of leases'],
};

/** Leaves out each promise without a problem that the run could not have broken. */
export function withoutVacuousPasses(findings: Findings, figures: Figures, scenario: Scenario): Findings {
  const neededFor = (promise: string) =>
    promise === scenario.expected ? (scenario.requiredFigures ?? []) : (needs[promise] ?? []);
  return Object.fromEntries(
    Object.entries(findings).filter(
      ([promise, problems]) => problems.length > 0 || neededFor(promise).every((name) => (figures[name] ?? 0) > 0),
    ),
  );
}
