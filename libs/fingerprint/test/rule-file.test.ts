import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileTechnologies } from '../scripts/compile-technologies.ts';
import { compileTables } from '../scripts/data/compile.ts';

const committed = (name: string) => readFileSync(new URL(`../src/data/${name}`, import.meta.url), 'utf8');

it('the tables are valid, and the committed rule files are what they compile to', () => {
  const { outputs, problems } = compileTables();
  expect(problems).toEqual([]);
  const stale = outputs.filter(({ name, text }) => committed(name) !== text).map(({ name }) => name);
  expect(stale, 'stale: npm run generate -w @shopscope/fingerprint').toEqual([]);
});

it('the committed rule file of imported data is what the pinned data compiles to', () => {
  const isEqual = compileTechnologies().text === committed('technologies.rules.json');
  expect(isEqual, 'stale: npm run generate -w @shopscope/fingerprint').toBe(true);
});
