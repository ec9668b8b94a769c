import { expect, it } from 'vitest';
import { harmless, quoted, shownName, shownValue } from './shown.ts';

it('a repeated text has no character that a terminal acts on or does not show', () => {
  const hostile = '\u001b[31m\r\n\u0000\u007f\u009b\u200b\u202e\u2028\u2066\ufeff\u{e0041}\ud800';
  const shown = quoted(hostile);
  expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(shown.startsWith('"\\u{1b}[31m\\u{d}\\u{a}\\u{0}')).toBe(true);
  expect(quoted('say "hi"')).toBe('"say \\"hi\\""');
  expect(quoted('Bücher 書 😀')).toBe('"Bücher 書 😀"');
});

it('a repeated text is cut between characters, and says that it is cut', () => {
  expect(harmless('x'.repeat(1_000_000), 5)).toBe('xxxxx…');
  expect(harmless('😀'.repeat(10), 3)).toBe('😀😀😀…');
  expect(harmless('😀😀😀', 3)).toBe('😀😀😀');
  expect(quoted('\u0000'.repeat(100_000)).length).toBeLessThan(400);
});

it('a name stays bare only when it is a plain word', () => {
  expect(['limit', 'domains.3', '__proto__', 'a b', '', 'x: y', 'x'.repeat(200)].map(shownName)).toEqual([
    'limit',
    'domains.3',
    '__proto__',
    '"a b"',
    '""',
    '"x: y"',
    `"${'x'.repeat(100)}…"`,
  ]);
});

it('a value is shown by its text or its kind', () => {
  expect([null, 'x', 1.5, true, {}, [], [1, 2], undefined].map(shownValue)).toEqual([
    'null',
    '"x"',
    '1.5',
    'true',
    'an object',
    'an empty array',
    'an array of 2',
    'nothing',
  ]);
});
