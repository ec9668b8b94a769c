import type { Weighted } from './random.ts';

/** The values of generated stores, with weights as on real stores. All slugs are of the vocabulary. */

export interface Platform {
  slug: string;
  themes: Weighted<string>;
  /** Technologies of this platform alone, with the share of its stores that use each, in percent. */
  technologies: Weighted<string>;
}

const ofWordPress: Weighted<string> = [
  ['yoast-seo', 45],
  ['elementor', 34],
  ['contact-form-7', 30],
  ['wp-rocket', 18],
  ['woocommerce-payments', 16],
  ['mailpoet', 12],
  ['wpforms', 10],
];

const platform = (slug: string, themes: Weighted<string>, technologies: Weighted<string>): Platform => ({
  slug,
  themes,
  technologies,
});

export const platforms: Weighted<Platform> = [
  [
    platform(
      'shopify',
      [
        ['dawn', 40],
        ['debut', 18],
        ['impulse', 14],
        ['prestige', 13],
        ['custom-theme', 15],
      ],
      [
        ['shop-pay', 82],
        ['judge-me', 31],
        ['loox', 16],
        ['recharge', 12],
        ['smile', 11],
        ['rebuy', 9],
        ['boost-commerce', 8],
        ['back-in-stock', 7],
        ['okendo', 6],
      ],
    ),
    40,
  ],
  [
    platform(
      'woocommerce',
      [
        ['astra', 38],
        ['divi', 26],
        ['storefront', 20],
        ['avada', 16],
      ],
      ofWordPress,
    ),
    27,
  ],
  [platform('wix', [], []), 7],
  [platform('prestashop', [['prestashop-classic', 1]], [['doofinder', 17]]), 6],
  [platform('magento', [], [['amasty', 34]]), 5],
  [platform('shopware', [], [['trusted-shops', 38]]), 4],
  [platform('squarespace', [], []), 4],
  [platform('bigcommerce', [], [['searchanise', 15]]), 3],
  [platform('opencart', [], []), 2],
  [platform('custom', [], []), 2],
];

export const countries: Weighted<string> = [
  ['US', 34],
  ['GB', 13],
  ['DE', 12],
  ['FR', 7],
  ['CA', 6],
  ['AU', 5],
  ['NL', 5],
  ['IT', 4],
  ['ES', 4],
  ['SE', 3],
  ['PL', 3],
  ['JP', 2],
  ['ZZ', 2],
];

/** The currencies of countries without the euro. */
export const currencies: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  CA: 'CAD',
  AU: 'AUD',
  SE: 'SEK',
  PL: 'PLN',
  JP: 'JPY',
  ZZ: 'USD',
};

export const industries: Weighted<string> = [
  ['apparel', 24],
  ['home-and-furniture', 13],
  ['beauty', 12],
  ['food', 9],
  ['jewelry-and-watches', 8],
  ['sports-and-fitness', 7],
  ['electronics', 6],
  ['health', 6],
  ['pets', 4],
  ['toys-and-games', 3],
  ['books-and-media', 3],
  ['automotive', 2],
  ['unclassified', 3],
];

/** Technologies of all platforms, with the share of stores that use each, in percent. */
export const technologies: Weighted<string> = [
  ['google-analytics', 71],
  ['google-tag-manager', 58],
  ['facebook-pixel', 47],
  ['paypal', 44],
  ['cloudflare', 39],
  ['apple-pay', 33],
  ['google-pay', 29],
  ['klaviyo', 24],
  ['stripe', 23],
  ['google-ads', 21],
  ['microsoft-clarity', 15],
  ['mailchimp', 14],
  ['tiktok-pixel', 13],
  ['hotjar', 12],
  ['recaptcha', 12],
  ['trustpilot', 9],
  ['cookiebot', 8],
  ['afterpay', 7],
  ['criteo', 6],
  ['zendesk', 5],
  ['gorgias', 5],
  ['algolia', 4],
  ['weglot', 3],
  ['intercom', 3],
];

/** Apps that generated stores used at their first scans and have removed since. Later scans see none of them. */
export const removedApps = ['lucky-orange', 'omnisend', 'tidio', 'privy', 'stamped'] as const;
