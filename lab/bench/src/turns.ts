import type { Bench } from './system.ts';

/** One side of a comparison: Shopscope or a reference. */
export interface Row<Result> {
  name: string;
  results: Result[];
  /** The goal: Shopscope's rate divided by the rate of this row is at least this. 0.5 allows half the rate. Absent if there is no goal. */
  goal?: number;
}

/** Rows that were measured in the same rounds. The last row is Shopscope's, or the one that all others are compared with. */
export type Comparison<Result> = Row<Result>[];

export type Contender<Result> = Omit<Row<Result>, 'results'> & {
  /** Measures once. Rounds count from 1. */
  measure(round: number): Promise<Result>;
};

/**
 * Measures the contenders once per round, one after the other. The order alternates, because the load of other programs
 * grows or falls during a round.
 */
export async function takeTurns<Result>(
  contenders: readonly Contender<Result>[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Comparison<Result>> {
  const rows = contenders.map(({ measure: _, ...row }): Row<Result> => ({ ...row, results: [] }));
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    const turns = [...contenders.entries()];
    for (const [n, contender] of round % 2 === 0 ? turns.toReversed() : turns)
      rows[n]?.results.push(await contender.measure(round));
  }
  return rows;
}

/** A contender that is measured under load for some seconds. The warm-up is round 0. */
export type LoadedContender<Result> = Omit<Contender<Result>, 'measure'> & {
  measure(seconds: number, round: number): Promise<Result>;
};

/** Puts each contender under load until its code is compiled, and then measures the contenders in turns. */
export async function compareUnderLoad<Result>(
  { settings: { rounds, seconds, warmUpSeconds }, say }: Pick<Bench, 'settings' | 'say'>,
  what: string,
  contenders: readonly LoadedContender<Result>[],
): Promise<Comparison<Result>> {
  for (const { measure } of contenders) await measure(warmUpSeconds, 0);
  return takeTurns(
    contenders.map(({ measure, ...row }) => ({ ...row, measure: (round: number) => measure(seconds, round) })),
    rounds,
    (round) => say(`${what}, round ${round} of ${rounds} …`),
  );
}
