import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const src = join(import.meta.dirname, '../..');

/** The bundle has its own copy of what it imports. An AppError that its code throws is not an AppError for the server. */
it('the pages import only types of inbound, operations, outbound and wiring, whose code runs outside of the bundle', () => {
  const files = globSync(['*/{components,pages}/*.{ts,tsx}', '*.tsx'], { cwd: src }).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(150);
  const values = files.flatMap((file) => {
    const imports = readFileSync(join(src, file), 'utf8').matchAll(
      /^import (?!type )([^;]*?) from '(?:\.[^']*\/)(?:inbound|operations|outbound|wiring)(?:\/[^']*|\.ts)';$/gm,
    );
    return [...imports].map(([, names]) => `${file}: ${names}`);
  });
  expect(values).toEqual([]);
});

it('the features import each other in one direction', () => {
  const imports = globSync('*/*/*.{ts,tsx}', { cwd: src })
    .filter((file) => !file.startsWith('app/'))
    .flatMap((file) => {
      const [feature = ''] = file.split('/');
      const others = readFileSync(join(src, file), 'utf8').matchAll(/ from '\.\.\/\.\.\/([\w-]+)\//g);
      return [...others]
        .map(([, other = '']) => ({ feature, other }))
        .filter(({ other }) => !['app', '..'].includes(other));
    });
  const importedBy = Map.groupBy(imports, ({ feature }) => feature);
  expect(importedBy.size).toBeGreaterThan(4);
  const reached = (feature: string, seen = new Set<string>()): Set<string> => {
    for (const { other } of importedBy.get(feature) ?? []) if (!seen.has(other)) reached(other, seen.add(other));
    return seen;
  };
  expect([...importedBy.keys()].filter((feature) => reached(feature).has(feature))).toEqual([]);
});
