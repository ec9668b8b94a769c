import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvRecord } from './csv.ts';

it('a text that a spreadsheet would take for a formula gets an apostrophe, and a number stays a number', () => {
  expect(
    csvRecord(['=1+1', '+1', '-1', '@a', '\tx', '\ry', '＝1', '＋1', '－1', '＠a', -1, 1.5, true, null, 'a=1']),
  ).toBe(`'=1+1,'+1,'-1,'@a,'\tx,"'\ry",'＝1,'＋1,'－1,'＠a,-1,1.5,true,,a=1\r\n`);
});

it('commas, quotes and line ends are quoted, and an empty record is not an empty line', () => {
  expect(csvRecord(['a,b', 'say "x"', 'two\nlines', ''])).toBe('"a,b","say ""x""","two\nlines",\r\n');
  expect(csvRecord([''])).toBe('""\r\n');
});

/** A reader of RFC 4180 that knows nothing of the writer. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  const field = (): string => {
    if (text[at] !== '"') {
      const start = at;
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') at += 1;
      return text.slice(start, at);
    }
    let value = '';
    for (at += 1; ; at += 1) {
      if (text[at] === '"' && text[at + 1] !== '"') break;
      if (text[at] === '"') at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  };
  while (at < text.length) {
    const record = [field()];
    while (text[at] === ',') {
      at += 1;
      record.push(field());
    }
    expect(text.slice(at, at + 2)).toBe('\r\n');
    at += 2;
    records.push(record);
  }
  return records;
}

it('a reader of CSV gets back all cells, and no text of a cell begins like a formula', () => {
  const special = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '"',
    ',',
    "'",
    ' ',
    '＝',
    '＋',
    '－',
    '＠',
    'a',
    'ß',
  );
  const text = fc.oneof(
    fc.array(special, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
  );
  const cell = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
  const table = fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 20 }));
  fc.assert(
    fc.property(table, (rows) => {
      const read = recordsOf(rows.map(csvRecord).join(''));
      expect(read).toHaveLength(rows.length);
      for (const [at, row] of rows.entries()) {
        expect(read[at]).toHaveLength(row.length);
        for (const [column, cell] of row.entries()) {
          const shown = read[at]?.[column] ?? '';
          if (typeof cell !== 'string') expect(shown).toBe(cell === null ? '' : String(cell));
          else {
            expect(shown).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
            expect([cell, `'${cell}`]).toContain(shown);
          }
        }
      }
    }),
    runsOf({ byDay: 200, atNight: 20_000 }),
  );
});
