import type { Row } from './http-rows.ts';

/** One side of a comparison. */
export interface Contender<Result> {
  name: string;
  goal?: number;
  /** One measurement in the round, which counts from 1. */
  measure(round: number): Promise<Result>;
}

/**
 * Measures the contenders once per round, one after the other. The order alternates, because the load of other programs
 * grows or falls during a round.
 */
export async function takeTurns<Result>(
  contenders: readonly Contender<Result>[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Row<Result>[]> {
  const rows = contenders.map(
    ({ name, goal }): Row<Result> => ({ name, results: [], ...(goal === undefined ? {} : { goal }) }),
  );
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    const turns = [...contenders.entries()];
    for (const [n, contender] of round % 2 === 0 ? turns.toReversed() : turns)
      rows[n]?.results.push(await contender.measure(round));
  }
  return rows;
}
