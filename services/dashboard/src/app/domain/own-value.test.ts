import { expect, it } from 'vitest';
import { ownValue } from './own-value.ts';

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'b'])(
  'ownValue finds no value under the name "%s", which the table lacks',
  (name) => {
    expect(ownValue({ a: 1 }, name)).toBeUndefined();
  },
);

it('ownValue finds the value under a name of the table', () => {
  expect(ownValue({ a: 1 }, 'a')).toBe(1);
});
