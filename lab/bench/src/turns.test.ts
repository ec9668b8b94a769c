import { expect, it } from 'vitest';
import { takeTurns } from './turns.ts';

it('contenders of a comparison take turns, every second round in reverse, and each result is in the row of its contender', async () => {
  const order: string[] = [];
  const contender = (name: string) => ({
    name,
    measure: async (round: number) => {
      order.push(`${name}${round}`);
      return `${name}${round}`;
    },
  });
  const rounds: number[] = [];
  const rows = await takeTurns([{ ...contender('a'), goal: 0.5 }, contender('b')], 3, (round) => rounds.push(round));
  expect(order).toEqual(['a1', 'b1', 'b2', 'a2', 'a3', 'b3']);
  expect(rounds).toEqual([1, 2, 3]);
  expect(rows).toEqual([
    { name: 'a', goal: 0.5, results: ['a1', 'a2', 'a3'] },
    { name: 'b', results: ['b1', 'b2', 'b3'] },
  ]);
});
