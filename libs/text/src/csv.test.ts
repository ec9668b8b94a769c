import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../test/hostile-text.ts';
import { csvOf, withoutFormulas } from './csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['﹦1', "'﹦1"],
  ['⁼1', "'⁼1"],
  [' =1', "' =1"],
  ['\u00a0\u200b\u202e=1', "'\u00a0\u200b\u202e=1"],
  ['\u0301=1', "'\u0301=1"],
  ['\t=1', "'\t'=1"],
  ['\tx', "'\tx"],
  ['\r=1', '"\'\r\'=1"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a=b', 'a=b'],
  ['with, comma', '"with, comma"'],
  ['two\nlines', '"two\nlines"'],
  ['two\n＝lines', '"two\n\'＝lines"'],
  ['', ''],
])('the CSV cell %j becomes %j', (value, written) => {
  expect(csvOf([[value]])).toBe(`${written}\r\n`);
});

describe('numbers', () => {
  it('numbers in CSV are written as they are, negative ones too', () => {
    expect(csvOf([['units'], [-5], [-0.5]])).toBe('units\r\n-5\r\n-0.5\r\n');
  });

  it('numbers in CSV stay numbers when they come as text, and nothing else begins with a minus sign', () => {
    expect(csvOf([['-5', '-12.75', '-5-1', '-A1', '-1;=1', '+49 30 123', '-٥']])).toBe(
      "-5,-12.75,'-5-1,'-A1,'-1;'=1,'+49 30 123,'-٥\r\n",
    );
  });
});

it('a text after a character at which some spreadsheets split a cell never runs as a formula', () => {
  expect(csvOf([["Shop;=cmd|' /C calc'!A0;x", 'a; +1', 'fine; text-1', 'tab\t@x']])).toBe(
    "Shop;'=cmd|' /C calc'!A0;x,a;' +1,fine; text-1,tab\t'@x\r\n",
  );
});

/**
 * Returns the cells that a spreadsheet reads if it splits at semicolons, as in Germany. A quotation mark at the start
 * of a cell begins a quoted part, and two of them within it are one. The text after the quoted part also belongs to the
 * cell.
 */
function cellsBySemicolon(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += character;
      at++;
    } else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (character === ';' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

it.each(['Shop;"=1+1;x', 'Shop;""=1+1;x', 'Shop; "\u200b"＝1+1;x', '";"=1+1;x', 'Shop\t"=1+1'])(
  'the CSV cell %j begins no formula after a quotation mark',
  (text) => {
    for (const written of [csvOf([['shop.example', text]]), csvOf([[text]])]) {
      for (const each of cellsBySemicolon(written).flatMap((cell) => cell.split('\t'))) {
        expect(each.normalize('NFKC').replace(/^[\s"\u200b]+/, '')).not.toMatch(/^[=+\-@]/);
      }
    }
  },
);

/**
 * Returns a cell as a spreadsheet interprets it: compatible characters are equal, and white space and invisible
 * characters are ignored.
 */
const seen = (part: string) =>
  part.normalize('NFKC').replace(/^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/u, '');

it('no character of Unicode begins a formula in a CSV cell', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const cell = `${String.fromCodePoint(code)}1+1`;
    if (/^[=+\-@]/.test(seen(cell))) expect(withoutFormulas(cell), code.toString(16)).toBe(`'${cell}`);
  }
});

it('no text begins a formula, in the cell or after a character that splits it', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const written = withoutFormulas(text);
      expect(written.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
      if (/^-\d+(\.\d+)?$/.test(written)) return;
      for (const part of written.split(/[;\t\r\n]/)) {
        // Characters before a combining mark are composed, so each is looked at alone.
        expect(
          part
            .replace(/^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/u, '')
            .slice(0, 1)
            .normalize('NFKC'),
        ).not.toMatch(/^[=+\-@]/);
      }
      expect(written).not.toMatch(/^[\t\r]/);
    }),
    { numRuns: 3_000 },
  );
});
