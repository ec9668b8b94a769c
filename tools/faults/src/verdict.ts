import { owedBy } from './checker/owed.ts';
import type { Scenario } from './faults/index.ts';
import { isGood, type RunRecord, standingOf, unmeasuredIn } from './records.ts';

/** Of all wanted runs those that do not count as shown, each with why. */
export function notShown(
  scenarios: readonly Scenario[],
  seeds: readonly number[],
  runsOf: (name: string, seed: number) => readonly RunRecord[],
): string[] {
  const wanted = scenarios.flatMap((scenario) => seeds.map((seed) => ({ scenario, seed })));
  return wanted.flatMap(({ scenario, seed }) => {
    const why = shortcomingOf(standingOf(runsOf(scenario.name, seed)), owedBy(scenario));
    return why === undefined ? [] : [`${scenario.name} ${seed} (${why})`];
  });
}

function shortcomingOf(standing: RunRecord | undefined, owed: readonly string[]): string | undefined {
  if (!standing) return 'not run';
  if (!isGood(standing)) return 'broken';
  const unmeasured = unmeasuredIn(standing, owed);
  return unmeasured.length > 0 ? `not measured: ${unmeasured.join(', ')}` : undefined;
}
