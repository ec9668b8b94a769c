import { escaped } from '@shopscope/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, plain, table, widthOf } from './table.ts';
import { screenOf } from './terminal.ts';

const screen = (columns?: number) => ({ columns, bold: (text: string) => text });

test('columns of a table stand under their headings', () => {
  expect(
    table(
      ['A', 'LONGER'],
      [
        ['one', 'x'],
        ['茶店', 'y'],
      ],
      screen(),
    ),
  ).toBe('A     LONGER\none   x\n茶店  y\n');
});

test('the widest column of a table is cut to the width of the terminal', () => {
  const text = table(['SLUG', 'NAME'], [['klaviyo', 'a very long name of a technology']], screen(24));
  expect(text.split('\n').every((line) => widthOf(line) <= 24)).toBe(true);
  expect(text).toContain('…');
});

test('a noun behind the number 1 is singular, and plural behind any other', () => {
  expect([0, 1, 2].map((count) => counted(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
});

test('no text of the service in a table controls the terminal', () => {
  expect(plain('\u001b[2Jred\u0007\u202Elaw')).toBe('[2Jred law');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [, shown = ''] = table(['A'], [[text]], screen()).split('\n');
      expect(shown.replace(/^\u2068(.*)\u2069$/u, '$1')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      // Nothing is left that the output for operators would escape.
      expect(escaped(plain(text)).replaceAll('\\u{fffd}', '')).not.toContain('\\u{');
    }),
  );
});

test('a text from right to left does not change the order of the columns of a table', () => {
  expect(table(['NAME', 'ID'], [['שלום', '1']], screen())).toBe('NAME  ID\n\u2068שלום\u2069  1\n');
});

test.each([
  ['a terminal', { isTTY: true, columns: 80 }, {}, '\u001b[1mA\u001b[0m\nx\n'],
  ['a terminal with NO_COLOR', { isTTY: true, columns: 80 }, { NO_COLOR: '1' }, 'A\nx\n'],
  ['a terminal without colours', { isTTY: true, columns: 80 }, { TERM: 'dumb' }, 'A\nx\n'],
  ['a pipe', {}, {}, 'A\nx\n'],
])('colours of a table are for terminals only: %s', (_, stream, env, text) => {
  expect(table(['A'], [['x']], screenOf(stream as never, env))).toBe(text);
});
