import { dayMs, hourMs } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import type { PastScan } from './generated/generated-store.ts';
import type { SeenStore } from './observed-store.ts';

/** The stores of the magic domains, as their scans see them. */

const plain: SeenStore = {
  name: 'Test Store',
  state: 'active_storefront',
  platform: 'shopify',
  technologies: ['cloudflare', 'dawn', 'google-analytics', 'klaviyo', 'shop-pay'],
  country: 'US',
  industry: 'apparel',
  catalog: { currency: 'USD', products: 120, available: 100, median: 39.95 },
};

interface MagicStore {
  /** The time from the last past scan to the end of the past observations. Undefined if the store is unknown until a scan. */
  lastScanAgoMs: number | undefined;
  /** Returns what the scan with this number sees. The past scan has the number 0. */
  at(scan: number): SeenStore;
  /** Whether the scans of the store have the dates of a series: see `scanDateMs`. */
  isSeries?: boolean;
}

/** The technologies of changes.test. Scan n adds the n-th of them; after the last one, the first one follows. */
const added = [
  'hotjar',
  'judge-me',
  'gorgias',
  'tiktok-pixel',
  'trustpilot',
  'afterpay',
  'microsoft-clarity',
  'loox',
  'recharge',
  'algolia',
  'criteo',
  'okendo',
  'smile',
  'weglot',
  'mailchimp',
  'stripe',
  'rebuy',
  'zendesk',
  'privy',
  'attentive',
];
/** The number of scans of changes.test that see such a technology. */
const seenScans = 5;

const freshMs = 2 * hourMs;
const staleMs = 400 * dayMs;
/** The first scan of a series is dated this long before the start of its workspace. */
export const seriesMs = 30 * dayMs;
/** Two scans of a series are further apart than the observations that confirm a removal have to be. */
export const seriesStepMs = 7 * hourMs;
const hugeCount = 500;

const store = (lastScanAgoMs: number | undefined, name: string, seen: Partial<SeenStore> = {}): MagicStore => ({
  lastScanAgoMs,
  at: () => ({ ...plain, name, ...seen }),
});
const series = (name: string, seenAt: (scan: number) => Partial<SeenStore>): MagicStore => ({
  // One step before the first scan: stale on every plan, at every time of the day.
  lastScanAgoMs: seriesMs + seriesStepMs,
  isSeries: true,
  at: (scan) => ({ ...plain, name, ...seenAt(scan) }),
});

const stores: Record<string, MagicStore> = {
  'matched.test': store(freshMs, 'Matched'),
  'stale.test': store(staleMs, 'Stale'),
  'unknown.test': store(undefined, 'Unknown'),
  'scan-fails.test': store(staleMs, 'Scan Fails'),
  'slow.test': store(staleMs, 'Slow'),
  'changes.test': series('Changes', (scan) => ({
    technologies: [
      ...plain.technologies,
      ...Array.from({ length: Math.min(scan, seenScans) }, (_, at) => added[(scan - 1 - at) % added.length] as string),
    ],
  })),
  'flaps.test': series('Flaps', (scan) => ({
    technologies: scan % 2 === 0 ? [...plain.technologies, 'hotjar'] : plain.technologies,
  })),
  'migrates.test': series('Migrates', (scan) => ({
    platform: scan === 0 ? 'woocommerce' : 'shopify',
    technologies: ['cloudflare', 'google-analytics', 'klaviyo', 'stripe'],
  })),
  'password.test': store(freshMs, 'Password', { state: 'password_protected', catalog: undefined }),
  'closed.test': store(freshMs, 'Closed', { state: 'closed', catalog: undefined }),
  'redirects.test': store(freshMs, 'Redirects', { state: 'redirected', storefrontHost: 'matched.test' }),
  'huge.test': store(freshMs, 'Huge', { technologies: firstApps(hugeCount - 1) }),
  'no-catalogue.test': store(freshMs, 'No Catalogue', { catalog: undefined }),
  'xn--bcher-kva.test': store(freshMs, 'Bücher', {
    country: 'DE',
    industry: 'books-and-media',
    catalog: { currency: 'EUR', products: 900, available: 850, median: 14.95 },
  }),
};

/** Returns the technologies of huge.test beside its platform. */
function firstApps(count: number): string[] {
  const slugs = vocabulary.flatMap(({ kind, slug }) => (kind === 'app' ? [slug] : []));
  return slugs.sort().slice(0, count);
}

export const magicStoreOf = (domain: string): MagicStore | undefined => stores[domain];

export const magicStoreDomains: readonly string[] = Object.keys(stores);

/** Returns the past scan of a magic store, or none. */
export const magicPast = ({ lastScanAgoMs, at }: MagicStore): PastScan[] =>
  lastScanAgoMs === undefined ? [] : [{ seen: at(0), agoMs: lastScanAgoMs }];
