import { expect, it } from 'vitest';
import type { StoreTechnology } from '../domain/store.ts';
import {
  asWords,
  countryName,
  groupedTechnologies,
  industryName,
  installStateOf,
  platformIsKnown,
  statusOf,
} from './store-labels.ts';

it('what nobody has observed has no name: no ZZ, unclassified or custom reaches a page', () => {
  expect(countryName({ basis: 'unknown', country: 'ZZ' })).toBeUndefined();
  expect(countryName({ basis: 'observed', country: 'ZZ' })).toBeUndefined();
  expect(countryName({ basis: 'observed', country: 'DE' })).toBe('Germany');
  expect(industryName({ basis: 'unknown', slug: 'unclassified' })).toBeUndefined();
  expect(industryName({ basis: 'classified', slug: 'home-garden' })).toBe('Home garden');
  const custom = { name: 'Custom', slug: 'custom', confidence: 'low', first_observed_at: '', last_confirmed_at: '' };
  expect(platformIsKnown(custom)).toBe(false);
});

it('a value of a later version is shown in its own words', () => {
  expect(statusOf('on_holiday')).toEqual({ word: 'On holiday', tone: 'unknown' });
  expect(statusOf('constructor').tone).toBe('unknown');
  expect(installStateOf('toString').tone).toBe('unknown');
  expect(asWords('')).toBe('not known');
  expect([asWords('cdn'), asWords('ui-frameworks')]).toEqual(['CDN', 'UI frameworks']);
});

it('technologies are listed by category: first the active ones, last the ones that are only set up', () => {
  const entry = (category: string, name: string, install_state: string) =>
    ({ category, name, install_state }) as StoreTechnology;
  const groups = groupedTechnologies([
    entry('reviews', 'B', 'configured'),
    entry('analytics', 'C', 'active'),
    entry('reviews', 'Z', 'active'),
    entry('reviews', 'Y', 'inactive'),
    entry('reviews', 'A', 'active'),
  ]);
  expect(groups.map(({ category, technologies }) => [category, technologies.map(({ name }) => name).join('')])).toEqual(
    [
      ['analytics', 'C'],
      ['reviews', 'AZYB'],
    ],
  );
});
