import { expect, it } from 'vitest';
import { longestMatch } from './longest-match.ts';

it.each([
  [/abc/, 3],
  [/a|bcd|e/, 3],
  [/\bab?c\B/, 3],
  [/^\d{2,4}[\s\]-]{3}$/, 7],
  [/(?:a|bc){2}d/, 5],
  [/(?<=\d{3})(?<name>x)(?!y{1,2}?)/, 6],
  [/\x41\u0042\cJ/, 3],
  [/\p{Lu}[^\n]{0,80}/u, 162],
  [/[^()]]/, 2],
  [/a+/, Number.POSITIVE_INFINITY],
  [/(?:a*b)?/, Number.POSITIVE_INFINITY],
  [/a{2,}/, Number.POSITIVE_INFINITY],
  [/(a)\1/, Number.POSITIVE_INFINITY],
  [/(?:a{0}|)b/, 1],
])('a match of %s reads at most %d characters', (form, most) => {
  expect(longestMatch(form)).toBe(most);
});
