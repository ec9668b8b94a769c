import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', '"\'\r\'=1"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a=b', 'a=b'],
  ['with, comma', '"with, comma"'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('the cell %j becomes %j', (value, written) => {
  expect(csvOf([[value]])).toBe(`${written}\r\n`);
});

it('numbers are written as they are, negative ones too', () => {
  expect(csvOf([['units'], [-5]])).toBe('units\r\n-5\r\n');
});

it('a text behind a character at which some spreadsheets split a cell runs as no formula either', () => {
  expect(csvOf([["Shop;=cmd|' /C calc'!A0;x", 'a; +1', 'fine; text-1', 'tab\t@x']])).toBe(
    "Shop;'=cmd|' /C calc'!A0;x,a; '+1,fine; text-1,tab\t'@x\r\n",
  );
});
