import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guidesFolder } from './guide.ts';

/** docs/comparison.md names a test for each check, and each of them exists. */
const repository = `${guidesFolder}/../..`;
const files = new Map(
  [
    'packages/client/src/*.test.ts',
    'packages/client-python/test*/*.{ts,py}',
    'packages/cli/src/*.test.ts',
    'tools/guides/src/*.test.ts',
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: repository }))
    .map((path) => [basename(path), readFileSync(`${repository}/${path}`, 'utf8')]),
);
const rows = readFileSync(`${repository}/docs/comparison.md`, 'utf8')
  .split('\n| check |')
  .slice(1)
  .flatMap((table) => table.split('\n').slice(2))
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  ) as string[][];

/** `file.test.ts`: the title of a test; … */
const namedIn = (cell: string) =>
  cell.split('; `').map((part) => {
    const [file = '', title = ''] = part.replace(/^`/, '').split('`: ');
    return { file, title };
  });

const isIn = ({ file, title }: { file: string; title: string }) => {
  const name = file.endsWith('.py') ? `def test_${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}(` : title;
  return title !== '' && (files.get(file) ?? '').includes(name);
};

test('the comparison of clients has checks', () => expect(rows.length).toBeGreaterThan(15));

describe.each(rows.map((cells) => [cells[0] ?? '', cells.at(-1) ?? ''] as const))('check %s', (check, cell) => {
  test(`the check "${check}" in the comparison of clients names tests that exist`, () => {
    expect(namedIn(cell).filter((named) => !isIn(named))).toEqual([]);
  });
});
