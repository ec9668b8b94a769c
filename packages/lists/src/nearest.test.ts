import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

describe('the nearest command', () => {
  it.each([
    ['', '', 0],
    ['plan', 'plan', 0],
    ['', 'plan', 4],
    ['plna', 'plan', 2],
    ['workspce', 'workspace', 1],
    ['kitten', 'sitting', 3],
  ])('from "%s" to "%s" takes %i edits', (from, to, edits) => {
    expect(editDistance(from, to)).toBe(edits);
    expect(editDistance(to, from)).toBe(edits);
  });

  it('is the one with the fewest edits, or none when all need too many edits', () => {
    expect(nearest('plan sat', ['plan list', 'plan set', 'key list'])).toBe('plan set');
    expect(nearest('frobnicate', ['plan list', 'plan set'])).toBeUndefined();
  });
});
