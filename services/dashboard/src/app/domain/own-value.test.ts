import { expect, it } from 'vitest';
import { ownValue } from './own-value.ts';

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'b'])('a table lacks the name "%s"', (name) => {
  expect(ownValue({ a: 1 }, name)).toBeUndefined();
});

it('a table has its own names', () => {
  expect(ownValue({ a: 1 }, 'a')).toBe(1);
});
