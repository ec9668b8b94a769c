import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plain, table, widthOf } from './table.ts';

test('columns stand under their headings', () => {
  expect(
    table(
      ['A', 'LONGER'],
      [
        ['one', 'x'],
        ['茶店', 'y'],
      ],
    ),
  ).toBe('A     LONGER\none   x\n茶店  y\n');
});

test('the widest column is cut to the width of the terminal', () => {
  const text = table(['SLUG', 'NAME'], [['klaviyo', 'a very long name of a technology']], 24);
  expect(text.split('\n').every((line) => widthOf(line) <= 24)).toBe(true);
  expect(text).toContain('…');
});

test('no text of the service controls the terminal', () => {
  expect(plain('\u001b[2Jred\u0007\u202Elaw')).toBe('[2Jred law');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [, shown = ''] = table(['A'], [[text]]).split('\n');
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
