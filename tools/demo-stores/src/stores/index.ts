import type { StoreDefinition, WrittenStore } from '../store.ts';
import { hostedStores } from './hosted.ts';
import { magentoStores } from './magento.ts';
import { otherStores } from './others.ts';
import { selfHostedStores } from './self-hosted.ts';
import { shopifyStores } from './shopify.ts';
import { wooCommerceStores } from './woocommerce.ts';

const written: readonly WrittenStore[] = [
  ...shopifyStores,
  ...wooCommerceStores,
  ...magentoStores,
  ...selfHostedStores,
  ...hostedStores,
  ...otherStores,
];

/** By country. The countries of the other demo stores have the euro. */
const currencies: Readonly<Record<string, string>> = {
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  DK: 'DKK',
  GB: 'GBP',
  NO: 'NOK',
  NZ: 'NZD',
  PL: 'PLN',
  SE: 'SEK',
  US: 'USD',
};

export const storeDefinitions: readonly StoreDefinition[] = written.map((store) => {
  const [, country = ''] = store.language.split('-');
  return { ...store, country, currency: currencies[country] ?? 'EUR' };
});
