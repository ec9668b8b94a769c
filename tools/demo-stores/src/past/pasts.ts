import type { AppChange, PlatformChange } from '../demo-store.ts';
import type { StoreState } from '../store.ts';

export interface PastChange {
  apps?: AppChange;
  platform?: PlatformChange;
  state?: StoreState;
}

/**
 * The past of a demo store, by the weeks before today: it was visited once a week, the first time in the week of the first change.
 * That change makes the oldest state from the defined one.
 */
export interface Past {
  domain: string;
  changes: Readonly<Record<number, PastChange>>;
}

/** How many weeks ago the first of these stores was visited first. */
export const weeksOf = (pasts: readonly Past[]): number =>
  Math.max(...pasts.flatMap(({ changes }) => Object.keys(changes).map(Number)));

/**
 * The last change of each leads back to the defined state: the store that is served is the one of the latest past visit. Not the
 * stores of the scenarios, which change when the corpus is filled.
 */
export const pasts: readonly Past[] = [
  {
    domain: 'maple-and-moss.example',
    changes: {
      9: { apps: { remove: ['recharge', 'loox', 'afterpay'], add: ['judge-me', 'hotjar'], configure: ['klaviyo'] } },
      8: { apps: { add: ['klaviyo'] } },
      7: { apps: { add: ['recharge'] } },
      6: { apps: { add: ['loox'], configure: ['judge-me'] } },
      5: { apps: { remove: ['judge-me'] } },
      4: { apps: { add: ['afterpay'] } },
      3: { apps: { remove: ['hotjar', 'klaviyo'] } },
    },
  },
  {
    domain: 'harbour-books.example',
    changes: {
      9: { platform: { platform: 'prestashop', theme: 'classic' }, apps: { remove: ['stripe'], add: ['paypal'] } },
      5: { platform: { platform: 'woocommerce', theme: 'storefront' } },
      3: { apps: { add: ['stripe'], remove: ['paypal'] } },
    },
  },
  {
    domain: 'hearth-and-grain.example',
    changes: {
      9: { apps: { remove: ['mailchimp'] } },
      7: { state: 'closed' },
      4: { state: 'open' },
      2: { apps: { add: ['mailchimp'] } },
    },
  },
  {
    domain: 'saltwater-tackle.example',
    changes: {
      9: { apps: { add: ['livechat'], remove: ['tidio', 'judge-me'] } },
      6: { apps: { add: ['tidio'], remove: ['livechat'] } },
      3: { apps: { configure: ['judge-me'] } },
    },
  },
  {
    domain: 'bolt-and-bearing.example',
    changes: {
      9: { apps: { add: ['tawk-to'], remove: ['livechat', 'onetrust'] } },
      8: { apps: { add: ['onetrust'] } },
      4: { apps: { add: ['livechat'], remove: ['tawk-to'] } },
    },
  },
  {
    domain: 'werkbank-nord.example',
    changes: { 9: { apps: { remove: ['trustpilot'] } }, 5: { apps: { add: ['trustpilot'] } } },
  },
  {
    domain: 'studio-halden.example',
    changes: {
      9: { apps: { remove: ['stripe'], add: ['paypal'] } },
      2: { apps: { add: ['stripe'] } },
      4: { apps: { remove: ['paypal'] } },
    },
  },
];
