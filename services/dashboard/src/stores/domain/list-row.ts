import { cleaned } from '@shopscope/text';
import type { Store, StoreMatch } from './store.ts';

/** The result for one domain of a list: the members that the table and the export show. Each has a bounded length. */
export interface ListRow {
  domain: string;
  match: StoreMatch;
  /** Absent if there is no readable profile. A text is empty if nothing was observed. */
  store?: {
    name: string;
    status: string;
    platform: string;
    country: string;
    industry: string;
    products: number | null;
    currency: string;
    medianPrice: number | null;
    /** The slugs of technologies that are in use. */
    technologies: string[];
    lastScanAt: string;
  };
}

const maxName = 200;
const maxWord = 80;
const maxTechnologies = 100;

export function listRow(domain: string, match: StoreMatch, store: Store | undefined): ListRow {
  if (!store) return { domain, match };
  const { catalog, geography, industry, platform, status, observation } = store;
  const hasCatalog = catalog.coverage !== 'none';
  return {
    domain,
    match,
    store: {
      name: cleaned(store.name, maxName),
      status: status.state.slice(0, maxWord),
      platform: platform.slug === 'custom' ? '' : cleaned(platform.name, maxWord),
      country: geography.country === 'ZZ' ? '' : geography.country.slice(0, 2),
      industry: industry.slug === 'unclassified' ? '' : industry.slug.slice(0, maxWord),
      products: hasCatalog ? catalog.product_count : null,
      currency: catalog.currency === 'XXX' ? '' : catalog.currency.slice(0, 3),
      medianPrice: hasCatalog && catalog.currency !== 'XXX' ? catalog.price_range.median : null,
      technologies: store.technologies
        .filter(({ install_state }) => install_state !== 'inactive')
        .slice(0, maxTechnologies)
        .map(({ slug }) => slug.slice(0, maxWord)),
      lastScanAt: observation.last_completed_scan_at,
    },
  };
}

export const listColumns = [
  ...['domain', 'result', 'name', 'status', 'platform', 'country', 'industry', 'products', 'currency', 'median_price'],
  ...['technologies', 'last_scan'],
];

/** A row of the export. A domain that was not looked up yet has the result "not looked up". */
export function csvRow(domain: string, row: ListRow | undefined): (string | number)[] {
  const { store } = row ?? {};
  return [
    domain,
    row?.match ?? 'not looked up',
    store?.name ?? '',
    store?.status ?? '',
    store?.platform ?? '',
    store?.country ?? '',
    store?.industry ?? '',
    store?.products ?? '',
    store?.currency ?? '',
    store?.medianPrice ?? '',
    store?.technologies.join(' ') ?? '',
    store?.lastScanAt ?? '',
  ];
}
