import { flatForm, searchBody, whereOfFlat } from '@shopscope/store-search';
import { expect, test } from 'vitest';
import { type FlatStoreQuery, whereOf } from './flat-where.ts';

const day = '2026-10-01T00:00:00Z';
const found = { technology_any: 'klaviyo,omnisend' };
/** A value for each member, with the members that it needs. */
const queries: Record<string, FlatStoreQuery> = {
  platform: { platform: 'shopify,custom' },
  platform_none: { platform_none: 'shopify' },
  country: { country: ['DE', 'AT'], country_none: 'ZZ' },
  country_none: { country_none: 'ZZ' },
  industry: { industry: 'beauty' },
  industry_none: { industry_none: 'beauty' },
  status: { status: ['closed'] },
  status_none: { status_none: 'closed' },
  technology_any: found,
  technology_all: { technology_all: ['klaviyo', 'omnisend'] },
  technology_none: { technology_none: 'klaviyo' },
  category_any: { category_any: 'reviews,email' },
  category_none: { category_none: 'reviews' },
  install_state: { ...found, category_any: 'reviews', category_none: 'email', install_state: ['active', 'configured'] },
  confidence_min: { technology_all: 'klaviyo', technology_none: 'omnisend', confidence_min: 'medium' },
  first_observed_from: { ...found, first_observed_from: day },
  first_observed_to: { category_any: 'reviews', first_observed_from: day, first_observed_to: day },
  dropped_any: { dropped_any: 'yotpo' },
  dropped_from: { dropped_any: 'yotpo', dropped_from: day },
  dropped_to: { dropped_any: 'yotpo', dropped_to: day },
  moved_from_platform: { moved_from_platform: 'magento' },
  moved_to_platform: { moved_to_platform: 'shopify' },
  moved_from: { moved_to_platform: 'shopify', moved_from: day },
  moved_to: { moved_to_platform: 'shopify', moved_to: day },
  products_min: { products_min: 100 },
  products_max: { products_max: 5_000 },
  list_any: { list_any: 'lst_01kandxv3w9p4nsbq7g8e2hm5t' },
  list_none: { list_none: 'lst_01kandxv3w9p4nsbq7g8e2hm5t' },
};
const all = Object.assign({}, ...Object.values(queries)) as FlatStoreQuery;

/** The `where` that the service makes of the parameters of a flat query. */
function whereOfService(query: FlatStoreQuery): unknown {
  const parameters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { where } = whereOfFlat(flatForm.parse(parameters));
  const { technologies = [], ...others } = JSON.parse(JSON.stringify(where));
  return technologies.length > 0 ? { technologies, ...others } : others;
}

test('the flat query of a client may have every member of the flat form', () => {
  const paging = ['sort', 'view', 'limit', 'cursor'];
  expect([...Object.keys(queries), ...paging].toSorted()).toEqual(Object.keys(flatForm.shape).toSorted());
});

test.each([...Object.entries(queries), ['all members', all] as const])(
  'a flat query of the client means what it means to the service: %s',
  (_, query) => {
    expect(searchBody.parse({ where: whereOf(query) }).where).toEqual(whereOfService(query));
  },
);

test('a flat query without members matches every active store', () => {
  expect(whereOf({})).toEqual({});
});

test.each([{ install_state: 'active' }, { first_observed_from: day, technology_none: 'klaviyo' }, { dropped_to: day }])(
  'a condition without its clause is refused and not left out: %j',
  (query) => {
    expect(() => whereOf(query as FlatStoreQuery)).toThrow(/need/);
  },
);
