import { expect, it } from 'vitest';
import { withSingleSpaces } from './single-spaces.ts';

it.each([
  ['', ''],
  [' \n ', ''],
  ['a b', 'a b'],
  ['  a\n\tb  c ', 'a b c'],
  ['a\u00a0b\u2003\u3000c\ufeffd', 'a b c d'],
  ['a\u200bb', 'a\u200bb'],
  ['a\nb', 'a b'],
])('the text %j has single spaces as %j', (text, spaced) => {
  expect(withSingleSpaces(text)).toBe(spaced);
});

it('a run of blanks can have every character that \\s matches in a regular expression', () => {
  for (let code = 0; code < 65_536; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    expect(withSingleSpaces(text)).toBe(text.replace(/\s+/, ' '));
  }
});
