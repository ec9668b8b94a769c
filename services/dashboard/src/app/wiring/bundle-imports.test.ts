import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const src = join(import.meta.dirname, '../..');

/** The bundle has an own copy of what it imports: an AppError that its code throws is no AppError for the server. */
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
