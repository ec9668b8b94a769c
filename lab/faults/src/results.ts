import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import type { Scenario } from './faults/index.ts';

/**
 * The result of one fault or mutant with one seed, as docs/faults.md records it. The whole table takes hours and is filled by many runs. A
 * result is valid until the content of the product or of the bench changes.
 */
export interface Result {
  /** The name of the fault, or {@link mutantPrefix} and the name of the mutant. */
  scenario: string;
  seed: number;
  outcome: 'held' | 'broken' | 'caught' | 'not caught';
  /** The hash of the content of the product and of the bench. */
  product: string;
  commit: string;
  /** The number of runs with this content. */
  runs: number;
  /** The keys of the broken promises. If none is broken, the keys of the required promises that were not measured. */
  promises: string[];
}

export const mutantPrefix = 'mutant: ';
/** The key of the promise that only one fault has. */
const ownKey = 'expected';

/** Returns the key that docs/faults.md uses for a promise. */
const keyOf = (promise: string): string => Object.entries(promises).find(([, text]) => text === promise)?.[0] ?? ownKey;

/** Returns the result of one run. `findings` has the problems of each measured promise. */
export function resultOf(
  scenario: Scenario,
  findings: Readonly<Record<string, readonly string[]>>,
): Pick<Result, 'outcome' | 'promises'> {
  const broken = Object.keys(findings).filter((promise) => (findings[promise] ?? []).length > 0);
  if (broken.length > 0) return { outcome: 'broken', promises: broken.map(keyOf) };
  return {
    outcome: 'held',
    promises: requiredChecksOf(scenario)
      .filter((promise) => !(promise in findings))
      .map(keyOf),
  };
}

/** Adds a run to the results. If the latest run was broken, it counts. Otherwise the later run counts, unless the earlier one measured more. */
export function withRun(results: readonly Result[], run: Omit<Result, 'runs'>): Result[] {
  const earlier = results.find(({ scenario, seed }) => scenario === run.scenario && seed === run.seed);
  const others = results.filter((result) => result !== earlier);
  if (earlier?.product !== run.product) return [...others, { ...run, runs: 1 }];
  const isEarlierBetter = isGood(earlier) && isGood(run) && earlier.promises.length < run.promises.length;
  return [...others, { ...(isEarlierBetter ? earlier : run), runs: earlier.runs + 1 }];
}

const isGood = ({ outcome }: Pick<Result, 'outcome'>): boolean => outcome === 'held' || outcome === 'caught';

/** On a busy machine a run may not measure every promise. After this many runs the fault is no longer due. */
const maxRuns = 3;

/** Whether a fault is due: it has no result, a promise was broken, or a required promise is not measured after fewer than {@link maxRuns} runs. */
export const isDue = (result: Result | undefined): boolean =>
  !result || !isGood(result) || (result.outcome === 'held' && result.promises.length > 0 && result.runs < maxRuns);

/** Returns why a result is not proof, or undefined if every promise was measured and held. */
export function reasonUnproven(result: Result | undefined): string | undefined {
  if (!result) return 'not run';
  if (!isGood(result)) return 'broken';
  return result.promises.length > 0 ? `not measured: ${result.promises.join(', ')}` : undefined;
}
