import { promises } from './checker/promises.ts';
import { requiredChecksOf } from './checker/required-checks.ts';
import type { Scenario } from './faults/index.ts';

/**
 * What docs/faults.md records of one fault, or of one mutant, under one seed. The whole table takes hours and is filled over many runs.
 * A result stays valid until the content of the product or of the bench changes.
 */
export interface Result {
  /** Name of the fault, or of the mutant after {@link mutantPrefix}. */
  scenario: string;
  seed: number;
  outcome: 'held' | 'broken' | 'caught' | 'not caught';
  /** Hash of the content of the product and of the bench. */
  product: string;
  commit: string;
  /** Runs of this content. */
  runs: number;
  /** Of a broken run, the keys of its broken promises. Otherwise those of the required promises that were not measured. */
  promises: string[];
}

export const mutantPrefix = 'mutant: ';
/** Key of the promise that a fault has of its own. */
const ownKey = 'expected';

/** The key of a promise in docs/faults.md. */
const keyOf = (promise: string): string => Object.entries(promises).find(([, text]) => text === promise)?.[0] ?? ownKey;

/** The result of one run: `findings` has the problems of each measured promise. */
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

/** The results after one more run. The run that counts is the latest if it was broken, else the one since then that measured most. */
export function withRun(results: readonly Result[], run: Omit<Result, 'runs'>): Result[] {
  const earlier = results.find(({ scenario, seed }) => scenario === run.scenario && seed === run.seed);
  const others = results.filter((result) => result !== earlier);
  if (earlier?.product !== run.product) return [...others, { ...run, runs: 1 }];
  const isEarlierBetter = isGood(earlier) && isGood(run) && earlier.promises.length < run.promises.length;
  return [...others, { ...(isEarlierBetter ? earlier : run), runs: earlier.runs + 1 }];
}

const isGood = ({ outcome }: Pick<Result, 'outcome'>): boolean => outcome === 'held' || outcome === 'caught';

/** A busy machine may prevent a run from measuring every promise. After this many runs the fault is no longer due. */
const maxRuns = 3;

/** A fault is due if it was never run, was broken, or has not measured every required promise. */
export const isDue = (result: Result | undefined): boolean =>
  !result || !isGood(result) || (result.outcome === 'held' && result.promises.length > 0 && result.runs < maxRuns);

/** Why a result is no proof: undefined when every promise was measured and held. */
export function reasonUnproven(result: Result | undefined): string | undefined {
  if (!result) return 'not run';
  if (!isGood(result)) return 'broken';
  return result.promises.length > 0 ? `not measured: ${result.promises.join(', ')}` : undefined;
}
