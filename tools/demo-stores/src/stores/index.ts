import type { StoreDefinition } from '../store.ts';
import { hostedStores } from './hosted.ts';
import { magentoStores } from './magento.ts';
import { otherStores } from './others.ts';
import { selfHostedStores } from './self-hosted.ts';
import { shopifyStores } from './shopify.ts';
import { wooCommerceStores } from './woocommerce.ts';

export const storeDefinitions: readonly StoreDefinition[] = [
  ...shopifyStores,
  ...wooCommerceStores,
  ...magentoStores,
  ...selfHostedStores,
  ...hostedStores,
  ...otherStores,
];
