import { expect, it } from 'vitest';
import { matchesEntityTag } from './entity-tag.ts';

it('If-None-Match matches a strong, weak or listed tag and *', () => {
  for (const header of ['"a-1"', 'W/"a-1"', '"x", "a-1"', '*', ' "x" ,W/"a-1" ']) {
    expect(matchesEntityTag(header, '"a-1"'), header).toBe(true);
  }
  for (const header of ['"a-2"', 'a-1', '', '"x"']) expect(matchesEntityTag(header, '"a-1"'), header).toBe(false);
});
