import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkspaces } from '../dependencies/workspace.ts';

const root = resolve(import.meta.dirname, '../../../..');
const spread = '...';

/** Returns the numbers of the lines that spread an object literal, counted from 1. Its members can be written without the spread. */
const spreadLiterals = (source: string): number[] =>
  [...source.matchAll(/\.\.\.\s*\{/g)].map(({ index }) => source.slice(0, index).split('\n').length);

describe('object literals', () => {
  it('the sources spread no object literal, because its members can be ordinary members', () => {
    const files = readWorkspaces(root).flatMap(({ shipped, development }) => [...shipped, ...development]);
    expect(files.length).toBeGreaterThan(1_500);
    const found = files.flatMap(({ path, text }) => spreadLiterals(text).map((line) => `${path}:${line}`));
    expect(found).toEqual([]);
  });

  it.each([
    [`({ ${spread}{ a, b }, c: 1 })`, [1]],
    [`({\n  a,\n  ${spread}{\n    b,\n  },\n})`, [3]],
    [`<Part {${spread}{ a: 1 }} />`, [1]],
    [`({ ${spread}given, ${spread}(a === undefined ? {} : { a }), ${spread}(b && { b }) })`, []],
  ])('the search sees which spreads of %j have an object literal', (source, lines) => {
    expect(spreadLiterals(source)).toEqual(lines);
  });
});
