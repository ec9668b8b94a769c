import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { pages, read } from './markdown.ts';

const kilobyte = 1_024;

/** The longest page in KB. The first row that fits a path decides. A path that no row fits has no limit: add a row. */
const pageLimits: readonly [paths: RegExp, limit: number][] = [
  [/^README\.md$/, 10],
  [/^docs\/glossary\.md$/, 12],
  // The lists of alerts and of log lines are each searched as one page.
  [/^deploy\/runbooks\/README\.md$/, 16],
  [/^docs\/decisions\/\d/, 3],
  [/^docs\//, 10],
  [/^deploy\//, 10],
];

/** The sum of all pages that fit, in KB. */
const sumLimits: readonly [name: string, paths: RegExp, limit: number][] = [
  [
    'README, docs without guides, runbooks, manifests',
    /^(?:README\.md|docs\/(?!guides\/).*|deploy\/(?:runbooks|k8s)\/.*)$/,
    315,
  ],
  // The goal is 600. Lower the limit with each page that becomes shorter.
  ['all pages but the changelog', /^(?!CHANGELOG\.md$)/, 715],
];

const sizes = pages.map((path) => [path, Buffer.byteLength(read(path))] as const);

describe('Markdown', () => {
  it('has no page above its limit', () => {
    expect(sizes.length).toBeGreaterThan(150);
    const tooLong = sizes.flatMap(([path, bytes]) => {
      const limit = pageLimits.find(([paths]) => paths.test(path))?.[1] ?? Number.POSITIVE_INFINITY;
      return bytes > limit * kilobyte ? [`${path}: ${bytes} bytes, limit ${limit * kilobyte}`] : [];
    });
    expect(tooLong).toEqual([]);
  });

  it.each(sumLimits)('has a bounded sum: %s', (_, paths, limit) => {
    const fitting = sizes.filter(([path]) => paths.test(path));
    expect(fitting.length).toBeGreaterThan(0);
    expect(fitting.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(limit * kilobyte);
  });
});
