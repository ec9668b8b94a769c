import { expect, it } from 'vitest';
import { describeValue, quoted, sanitized, sanitizedName } from './sanitized-input.ts';

it('a sanitized text has no control, format or invisible character', () => {
  const hostile = '\u001b[31m\r\n\u0000\u007f\u009b\u200b\u202e\u2028\u2066\ufeff\u{e0041}\ud800';
  const shown = quoted(hostile);
  expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(shown.startsWith('"\\u{1b}[31m\\u{d}\\u{a}\\u{0}')).toBe(true);
  expect(quoted('say "hi"')).toBe('"say \\"hi\\""');
  expect(quoted('Bücher 書 😀')).toBe('"Bücher 書 😀"');
});

it('a long text is cut between two characters and ends with an ellipsis', () => {
  expect(sanitized('x'.repeat(1_000_000), 5)).toBe('xxxxx…');
  expect(sanitized('😀'.repeat(10), 3)).toBe('😀😀😀…');
  expect(sanitized('😀😀😀', 3)).toBe('😀😀😀');
  expect(quoted('\u0000'.repeat(100_000)).length).toBeLessThan(400);
});

it('a name has no quotes only when it is a plain word', () => {
  expect(['limit', 'domains.3', '__proto__', 'a b', '', 'x: y', 'x'.repeat(200)].map(sanitizedName)).toEqual([
    'limit',
    'domains.3',
    '__proto__',
    '"a b"',
    '""',
    '"x: y"',
    `"${'x'.repeat(100)}…"`,
  ]);
});

it('a value is described by its text or by its kind', () => {
  expect([null, 'x', 1.5, true, {}, { a: 1 }, [], [1, 2], undefined].map(describeValue)).toEqual([
    'null',
    '"x"',
    '1.5',
    'true',
    'an empty object',
    'an object',
    'an empty array',
    'an array of 2',
    'nothing',
  ]);
});
