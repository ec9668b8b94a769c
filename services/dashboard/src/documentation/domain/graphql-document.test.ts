import { describe, expect, it } from 'vitest';
import { linesAt, operationNamesOf, placeIn } from './graphql-document.ts';

describe('operations of a document', () => {
  it.each([
    ['{ account { key { id } } }', []],
    ['query { account { key { id } } }', []],
    ['query A { store(domain: "query X {") { match } } query B { usage { period { start } } }', ['A', 'B']],
    [
      'query A($x: [String!]! = ["}"]) @skip(if: false) { query: store(domain: "a") { query } }\nquery B { a }',
      ['A', 'B'],
    ],
    ['# query X { a }\nquery A { a(b: """ query Y { \\""" } """) }', ['A']],
    ['query A { ...F } fragment F on Query { a }', ['A']],
    ['', []],
    ['}}}} query A {', []],
  ])('the operations of %j are found by their names', (document, names) => {
    expect(operationNamesOf(document)).toEqual(names);
  });

  it('the operations of a hostile document are read in a time that grows with its length only', () => {
    for (const text of ['"""', '"', '\\"', '{', 'query ', '#', '"\\']) {
      expect(operationNamesOf(text.repeat(20_000)).length).toBeLessThanOrEqual(20_000);
    }
  });
});

describe('place in a document', () => {
  it('the place that a message names is that of its end, so that a text of the caller is none', () => {
    expect(placeIn('query: Cannot query field "x" on type "Store" (line 3, column 5)')).toEqual({ line: 3, column: 5 });
    expect(placeIn('query: Unknown name "(line 1, column 1)"')).toBeUndefined();
  });

  it('the lines around a place have the numbers that the API counts, for each end of a line', () => {
    const document = 'a\nb\r\nc\rd\ne\nf';
    expect(linesAt(document, { line: 3, column: 1 }).map(({ number, text }) => `${number}${text}`)).toEqual([
      '1a',
      '2b',
      '3c',
      '4d',
      '5e',
    ]);
    expect(linesAt(document, { line: 99, column: 1 })).toEqual([]);
  });
});
