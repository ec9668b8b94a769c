import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function drawn(isTerminal: boolean): string {
  let text = '';
  let nowMs = 0;
  const report = (more: string) => {
    text += more;
  };
  const console = { report, isTerminal, columns: 100 };
  const progress = createProgress({ console, verb: 'imported', service: 'profiles', nowMs: () => nowMs });
  for (; nowMs <= 60_000; nowMs += 100) progress.update({ stores: nowMs * 3, share: nowMs / 100_000 });
  progress.end();
  return text;
}

it('the progress of an import on a terminal is one bar with stores, rate and time left, which is removed at the end', () => {
  const drawings = drawn(true).split('\r\x1b[K');
  expect(drawings.at(-2)).toBe('[##############----------] 60 %, 180,000 stores imported, 3,000/s, 40 s left');
  expect(drawings.at(-1)).toBe('');
  expect(drawings.filter((drawing) => drawing.includes('\n'))).toEqual([]);
});

it('the progress of an import without a terminal is a line every five seconds, without control characters', () => {
  const lines = drawn(false).trimEnd().split('\n');
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe('60 %, 180,000 stores imported, 3,000/s, 40 s left');
});
