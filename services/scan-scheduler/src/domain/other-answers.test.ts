import { dayMs } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { type OtherAnswers, oneMore, restMs, restsUntil } from './other-answers.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

it('a domain rests for 30 days after the third answer in a row that is not the page of its store', () => {
  let row: OtherAnswers | undefined;
  const ends = [1, 8, 15, 50].map((n) => {
    row = oneMore(row, n === 15 ? 'waiting_room' : 'challenged', day(n));
    return restsUntil(row);
  });
  expect(restMs).toBe(30 * dayMs);
  expect(ends).toEqual([undefined, undefined, day(45), day(80)]);
  expect(row).toEqual({ count: 4, code: 'challenged', firstAt: day(1), lastAt: day(50) });
});
