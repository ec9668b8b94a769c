import { describe, expect, it } from 'vitest';
import { observeStore } from '../../src/index.ts';
import { oncePer } from '../../src/once.ts';
import { rules } from '../../src/rules/index.ts';
import { markupOf, pageOf } from '../../test/support/samples.ts';
import { dataOf } from './read.ts';
import type { Sample } from './samples.ts';
import { platforms } from './tables/platforms.ts';
import { technologies } from './tables/technologies.ts';

const entries = [...dataOf(platforms), ...dataOf(technologies)];
const firstSamples = new Map(entries.flatMap(({ slug, samples }) => (samples?.[0] ? [[slug, samples[0]]] : [])));
const known = new Map(rules.map((rule) => [rule.slug, rule]));

/** Returns a sample of a technology that `slug` requires, or an empty list if `slug` requires none. */
function contextOf(slug: string): Sample[] {
  const { requires = [], requiresCategory = [] } = known.get(slug) ?? {};
  if (requires.length === 0 && !requiresCategory.includes('ecommerce')) return [];
  const required = requires.length === 0 ? 'shopify' : requires.find((one) => firstSamples.has(one));
  const sample = firstSamples.get(required ?? '');
  if (required === undefined || sample === undefined)
    throw new Error(`${slug} requires one of ${requires.join(', ')}, and none has a sample.`);
  return required === slug ? [] : [...contextOf(required), sample];
}

interface Row {
  slug: string;
  sample: Sample;
}

/** The observation of a sample with its context. Several tests need it. */
const observed = oncePer(({ slug, sample }: Row) => observeStore(pageOf(sample, contextOf(slug))));

const technologyOf = (row: Row) => observed(row).technologies.find(({ slug }) => slug === row.slug);

const samples = entries.flatMap(({ slug, samples = [] }) => samples.map((sample) => ({ slug, sample })));
const misses = entries.flatMap(({ slug, misses = [] }) => misses.map((sample) => ({ slug, sample })));
const titled = (row: Row) => [row.slug, JSON.stringify(row.sample), row] as const;

describe('samples', () => {
  it.each(samples.map(titled))('a technology is found by its sample: %s: %s', (_slug, _text, row) => {
    const { sample } = row;
    const technology = technologyOf(row);
    expect(technology).toBeDefined();
    if (sample.state !== undefined) expect(technology?.installState).toBe(sample.state);
    // A file that the page only announces is weak evidence.
    if (sample.state !== 'configured') expect(technology?.confidence).not.toBe('low');
  });
});

describe('misses', () => {
  it.each(misses.map(titled))('a technology is not found by what seems to show it: %s: %s', (_slug, _text, row) => {
    expect(technologyOf(row)).toBeUndefined();
  });
});

it('a page that quotes a sample as text does not have its technology', () => {
  const quoted = samples.filter(
    ({ sample }) => markupOf(sample) !== '' && !sample.header && !sample.cookies && !sample.url,
  );
  const escaped = (sample: Sample) => markupOf(sample).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const taken = quoted.filter(({ slug, sample }) =>
    technologyOf({ slug, sample: { html: `<pre>${escaped(sample)}</pre>` } }),
  );
  expect(taken).toEqual([]);
});

it('a technology that requires a platform is not found on a page without it', () => {
  const alone = samples.filter(({ slug, sample }) => {
    const { requires = [] } = known.get(slug) ?? {};
    const slugs = observeStore(pageOf(sample, [])).technologies.map((technology) => technology.slug);
    return requires.length > 0 && slugs.includes(slug) && !requires.some((required) => slugs.includes(required));
  });
  expect(alone).toEqual([]);
});

it('a sample makes no technology certain when no public document states its traces', () => {
  const unsourced = new Set(
    entries.flatMap(({ slug }) => (known.get(slug)?.patterns.every((pattern) => pattern.unsourced) ? [slug] : [])),
  );
  const certain = samples.filter((row) => unsourced.has(row.slug) && technologyOf(row)?.confidence === 'high');
  expect(certain).toEqual([]);
});

it('a platform with a sample is the platform of the page', () => {
  const others = samples.filter(
    (row) => known.get(row.slug)?.kind === 'platform' && observed(row).platform.slug !== row.slug,
  );
  expect(others).toEqual([]);
});
