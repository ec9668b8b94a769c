import { exportColumnsOf, exportPaths } from '@shopscope/store-search';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { store } from '../get-store/contract.ts';
import { storeExample } from '../get-store/examples.ts';

/** The paths of a schema. A list is one column. */
const pathsOf = (schema: z.ZodType, path: string): string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, member]) => pathsOf(member as z.ZodType, `${path}.${name}`))
    : [path];

const row = {
  domain: 'shop.example',
  storefront_id: storeExample.storefront_id,
  matched: [{ technology: 'klaviyo' }, { technology: 'klaviyo' }, { technology: 'yotpo' }],
  dropped: [{ technology: 'loox' }],
  changed_since_edition: false,
  store: storeExample,
};
const recordOf = (columns: Parameters<typeof exportColumnsOf>[0]) =>
  Object.fromEntries(exportColumnsOf(columns).map(({ header, cellOf }) => [header, cellOf(row)]));

it('the columns of an export are all paths of a row, except for what the row has twice', () => {
  const twice = ['store.domain', 'store.storefront_id'];
  const own = ['domain', 'storefront_id', 'matched', 'dropped', 'changed_since_edition'];
  const expected = [...own, ...pathsOf(store, 'store')].filter((path) => !twice.includes(path));
  expect([...exportPaths].sort()).toEqual(expected.sort());
});

it('lists become one cell with each name once, and numbers stay numbers', () => {
  expect(
    recordOf(['matched', 'dropped', 'store.technologies', 'store.catalog.product_count', 'store.recent_signals']),
  ).toEqual({
    matched: 'klaviyo; yotpo',
    dropped: 'loox',
    'store.technologies': 'klaviyo',
    'store.catalog.product_count': 184,
    'store.recent_signals': storeExample.recent_signals[0]?.id,
  });
});

it('the presets have the columns that the vendors import', () => {
  expect(recordOf('hubspot')).toEqual({
    'Company name': 'Example Shop',
    'Company domain name': 'shop.example',
    'Website URL': 'https://www.shop.example',
    'Country/Region': 'Germany',
    Description: 'Platform: Shopify. Technologies: klaviyo.',
  });
  expect(recordOf('salesforce')).toEqual({
    'Account Name': 'Example Shop',
    'Account Site': 'shop.example',
    Website: 'https://www.shop.example',
    'Billing Country': 'Germany',
    'Account Description': 'Platform: Shopify. Technologies: klaviyo.',
  });
  expect(Object.keys(recordOf('default'))).toContain('store.platform.slug');
});
