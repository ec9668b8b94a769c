import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { pages, read } from './markdown.ts';

const kilobyte = 1_024;

/** The maximum size of a page in KB. The first row that fits a path decides, and the last row fits every path. */
const pageLimits: readonly [paths: RegExp, limit: number][] = [
  // The lists of alerts, of words and of results of faults are each searched as one page.
  [/^deploy\/runbooks\/README\.md$/, 16],
  [/^docs\/(glossary|faults)\.md$/, 12],
  [/^docs\/decisions\/\d/, 3],
  [/^services\/[^/]+\/README\.md$/, 8],
  [/^services\/[^/]+\/operating\.md$/, 10],
  [/^/, 10],
];

/** The sum of all pages in KB, without the changelog, which grows with each release. */
const sumLimit = 600;

const sizes = pages.map((path) => [path, Buffer.byteLength(read(path))] as const);

const limitOf = (path: string) => pageLimits.find(([paths]) => paths.test(path))?.[1] ?? 0;

describe('Markdown', () => {
  it('Markdown has no page above its limit', () => {
    expect(sizes.length).toBeGreaterThan(150);
    const tooLong = sizes.flatMap(([path, bytes]) => {
      const limit = limitOf(path) * kilobyte;
      return bytes > limit ? [`${path}: ${bytes} bytes, limit ${limit}`] : [];
    });
    expect(tooLong).toEqual([]);
  });

  it('each limit of Markdown pages has pages', () => {
    for (const row of pageLimits) {
      const fitting = sizes.filter(([path]) => pageLimits.find(([paths]) => paths.test(path)) === row);
      expect(fitting.length, String(row[0])).toBeGreaterThan(0);
    }
  });

  it(`Markdown has at most ${sumLimit} KB in all pages without the changelog`, () => {
    const counted = sizes.filter(([path]) => path !== 'CHANGELOG.md');
    expect(counted.length).toBeLessThan(sizes.length);
    expect(counted.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(sumLimit * kilobyte);
  });
});
