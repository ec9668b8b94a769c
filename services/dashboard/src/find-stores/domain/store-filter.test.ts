import { expect, it } from 'vitest';
import { withFacetValue } from './facet-filter.ts';
import { fieldOf } from './field-of.ts';
import { asksForChanges, clausesShown, filterOf } from './store-filter.ts';
import { whereOf } from './where-of.ts';

const filter = (search: string) => filterOf(new URLSearchParams(search));

it('a filter becomes the where of the API, with clauses in their order and without members that are not filled', () => {
  const query =
    'platform=shopify&country=DE,+AT&country_is=none&c1=klaviyo+omnisend&c1_state=active&c1_min=medium&c1_from=2026-08-01' +
    '&c1_first=included&c2=reviews&c2_by=category&c2_has=none&c3=theme&c3_by=kind&c3_first=included&c4=yotpo&c4_has=dropped&c4_from=2026-10-01&products_min=100&moved_to=shopify&industry_is=none&other=1';
  expect(whereOf(filter(query))).toEqual({
    platform: { any: ['shopify'] },
    country: { none: ['DE', 'AT'] },
    technologies: [
      {
        any: ['klaviyo', 'omnisend'],
        install_state: ['active'],
        confidence_min: 'medium',
        first_observed: { from: '2026-08-01T00:00:00Z' },
        since_known: false,
      },
      { none: { category: ['reviews'] } },
      { any: { kind: ['theme'] } },
    ],
    dropped: [{ any: ['yotpo'], effective: { from: '2026-10-01T00:00:00Z' } }],
    moved: { to_platform: ['shopify'] },
    products: { min: 100 },
  });
  expect(whereOf(filter('c1_has=none&clauses=3'))).toEqual({});
});

it('ticked lists, which a form sends under one name, are one member', () => {
  expect(whereOf(filter('list=lst_1&list=lst_2&list_is=none'))).toEqual({ list: { none: ['lst_1', 'lst_2'] } });
});

it('a filter reads changes if it has a clause of dropped technologies or of a changed platform', () => {
  const asks = ['c1=yotpo&c1_has=dropped', 'moved_since=2026-01-01', 'c1=yotpo', ''].map((search) =>
    asksForChanges(filter(search)),
  );
  expect(asks).toEqual([true, true, false, false]);
});

it('a path of the API names the field that has the value', () => {
  const fields = filter('c2=klavyo&c3=yotpo&c3_has=dropped&c5=omnisend&country=D');
  const paths = [
    'where.technologies[0].any[1]',
    'where.technologies[1].first_observed.from',
    'where.dropped[0].any[0]',
    'where.country.any[0]',
    'where.products.min',
    'where.moved.effective.to',
    'where.technologies[7].any',
    'limit',
  ];
  expect(paths.map((path) => fieldOf(fields, path))).toEqual([
    'c2',
    'c5_from',
    'c3',
    'country',
    'products_min',
    'moved_until',
    undefined,
    undefined,
  ]);
});

it('a form shows the clauses with values and those that were added, at most eight', () => {
  expect([
    clausesShown(filter(''), null),
    clausesShown(filter('c3=a'), '2'),
    clausesShown(filter('c1=a'), '8'),
    clausesShown(filter(''), '900'),
  ]).toEqual([1, 3, 8, 1]);
});

it('a value of a facet replaces the values of its member, a technology becomes a clause, and a present value is not added', () => {
  const given = filter('country=AT&country_is=none&c1=klaviyo');
  expect([
    withFacetValue(given, 'country', 'DE'),
    withFacetValue(given, 'technology', 'yotpo'),
    withFacetValue(given, 'technology', 'klaviyo'),
    withFacetValue(filter('country=DE'), 'country', 'DE'),
  ]).toEqual(['?country=DE&c1=klaviyo', '?country=AT&country_is=none&c1=klaviyo&c2=yotpo', undefined, undefined]);
});
