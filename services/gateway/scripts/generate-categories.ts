import { writeFileSync } from 'node:fs';
import { vocabulary } from '@shopscope/fingerprint';

/**
 * Writes src/endpoints/technologies/categories.ts from the vocabulary. A running gateway does not load the vocabulary, which profiles
 * serves. The contract only lists the categories.
 */
const counts = new Map<string, number>();
for (const { category } of vocabulary) counts.set(category, (counts.get(category) ?? 0) + 1);
const lines = [...counts]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([slug, technologies]) => `  { slug: '${slug}', technologies: ${technologies} },`);

const target = new URL('../src/endpoints/technologies/categories.ts', import.meta.url);
writeFileSync(
  target,
  [
    '// Generated from the vocabulary in libs/fingerprint: npm run generate -w @shopscope/gateway',
    '/** The categories of the technology vocabulary, with the number of technologies in each. */',
    'export const categories: readonly { slug: string; technologies: number }[] = [',
    ...lines,
    '];',
    '',
  ].join('\n'),
);
