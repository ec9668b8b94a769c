import { dayMs } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { addFailure, type PageFailures, restMs, restsUntil } from './page-failures.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

it('a domain rests for 30 days after the third consecutive scan that got a page that is not its own', () => {
  let row: PageFailures | undefined;
  const ends = [1, 8, 15, 50].map((n) => {
    row = addFailure(row, n === 15 ? 'waiting_room' : 'challenged', day(n));
    return restsUntil(row);
  });
  expect(restMs).toBe(30 * dayMs);
  expect(ends).toEqual([undefined, undefined, day(45), day(80)]);
  expect(row).toEqual({ count: 4, code: 'challenged', firstAt: day(1), lastAt: day(50) });
});
