import type { Platform } from '../store.ts';
import { bigcommerce } from './bigcommerce.ts';
import { custom } from './custom.ts';
import { magento } from './magento.ts';
import { none } from './none.ts';
import { opencart } from './opencart.ts';
import { prestashop } from './prestashop.ts';
import { salesforceCommerceCloud } from './salesforce-commerce-cloud.ts';
import { shopify } from './shopify.ts';
import { shopware } from './shopware.ts';
import { squarespace } from './squarespace.ts';
import type { Template } from './template.ts';
import { wix } from './wix.ts';
import { woocommerce } from './woocommerce.ts';

export const templates: Record<Platform, Template> = {
  shopify,
  woocommerce,
  magento,
  prestashop,
  opencart,
  bigcommerce,
  squarespace,
  wix,
  shopware,
  'salesforce-commerce-cloud': salesforceCommerceCloud,
  custom,
  none,
};
