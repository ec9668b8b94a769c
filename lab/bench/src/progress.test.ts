import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

it('the progress of the bench is a line every five seconds with what is done and the rate since the previous line', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const progress = createProgress({ what: 'keys', total: 1_000, say: (line) => lines.push(line), nowMs: () => nowMs });
  for (const [atMs, done] of [
    [4_999, 90],
    [5_000, 100],
    [9_000, 150],
    [15_000, 405],
  ] as const) {
    nowMs = atMs;
    progress.update(done);
  }
  expect(lines).toEqual(['10 %, 100 of 1000 keys, 20/s', '40 %, 405 of 1000 keys, 31/s']);
});
