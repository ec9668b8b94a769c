import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ruleFiles } from '../scripts/rule-files.ts';

const committed = (name: string) => readFileSync(new URL(`../src/data/${name}`, import.meta.url), 'utf8');

it('the tables are valid, and compiling them with the pinned data gives the committed rule files', () => {
  const { outputs, problems } = ruleFiles();
  expect(problems).toEqual([]);
  const stale = outputs.filter(({ name, text }) => committed(name) !== text).map(({ name }) => name);
  expect(stale, 'stale: npm run generate -w @shopscope/fingerprint').toEqual([]);
});
