import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileTechnologies } from '../scripts/compile-technologies.ts';

it('the committed rule file is what the pinned data compiles to', () => {
  const committed = readFileSync(new URL('../src/data/technologies.rules.json', import.meta.url), 'utf8');
  expect(compileTechnologies().text === committed, 'stale: npm run generate -w @shopscope/fingerprint').toBe(true);
});
