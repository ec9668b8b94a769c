import { requiredChecksOf } from './checker/required-checks.ts';
import type { Scenario } from './faults/index.ts';
import { decisiveRunOf, isGood, type RunRecord, unmeasuredIn } from './records.ts';

/** The wanted runs that are missing, broken or not fully measured, each with the reason. */
export function unprovenRuns(
  scenarios: readonly Scenario[],
  seeds: readonly number[],
  runsOf: (name: string, seed: number) => readonly RunRecord[],
): string[] {
  const wanted = scenarios.flatMap((scenario) => seeds.map((seed) => ({ scenario, seed })));
  return wanted.flatMap(({ scenario, seed }) => {
    const reason = reasonUnproven(decisiveRunOf(runsOf(scenario.name, seed)), requiredChecksOf(scenario));
    return reason === undefined ? [] : [`${scenario.name} ${seed} (${reason})`];
  });
}

function reasonUnproven(decisive: RunRecord | undefined, required: readonly string[]): string | undefined {
  if (!decisive) return 'not run';
  if (!isGood(decisive)) return 'broken';
  const unmeasured = unmeasuredIn(decisive, required);
  return unmeasured.length > 0 ? `not measured: ${unmeasured.join(', ')}` : undefined;
}
