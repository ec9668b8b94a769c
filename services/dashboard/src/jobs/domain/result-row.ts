import { cleaned } from '@shopscope/text';
import { z } from 'zod';
import { type StoreMatch, storeSchema } from '../../stores/domain.ts';

/** The result of a job for one store: the members that the table and the export show. Each has a bounded length. */
export interface ResultRow {
  domain: string;
  /** The caller's own id; empty without one. */
  externalId: string;
  match: StoreMatch;
  reason: string;
  /** Whether a scan was requested. */
  isScanned: boolean;
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

const maxId = 200;
const maxName = 200;
const maxWord = 80;
const maxTechnologies = 100;

const result = z.object({
  domain: z.string(),
  external_id: z.string().nullable(),
  match: z.enum(['matched', 'stale', 'no_match', 'error']),
  reason: z.string().nullable(),
  scan_job_id: z.string().nullable(),
  store: z.unknown(),
});

/** Reads a result of an enrichment. A profile in a form that this version does not know is `unreadable`. Throws if it is no such result. */
export function resultRow(value: unknown): ResultRow {
  const { domain, external_id, match, reason, scan_job_id, store } = result.parse(value);
  const row = {
    domain: domain.slice(0, 253),
    externalId: cleaned(external_id ?? '', maxId),
    match,
    reason: (reason ?? '').slice(0, maxWord),
    isScanned: scan_job_id !== null,
  };
  if (store === null || store === undefined) return row;
  const parsed = storeSchema.safeParse(store);
  if (!parsed.success) return { ...row, match: 'unreadable' };
  const { catalog, geography, industry, platform, status, observation, name, technologies } = parsed.data;
  const hasCatalog = catalog.coverage !== 'none';
  return {
    ...row,
    store: {
      name: cleaned(name, maxName),
      status: status.state.slice(0, maxWord),
      platform: platform.slug === 'custom' ? '' : cleaned(platform.name, maxWord),
      country: geography.country === 'ZZ' ? '' : geography.country.slice(0, 2),
      industry: industry.slug === 'unclassified' ? '' : industry.slug.slice(0, maxWord),
      products: hasCatalog ? catalog.product_count : null,
      currency: catalog.currency === 'XXX' ? '' : catalog.currency.slice(0, 3),
      medianPrice: hasCatalog && catalog.currency !== 'XXX' ? catalog.price_range.median : null,
      technologies: technologies
        .filter(({ install_state }) => install_state !== 'inactive')
        .slice(0, maxTechnologies)
        .map(({ slug }) => slug.slice(0, maxWord)),
      lastScanAt: observation.last_completed_scan_at,
    },
  };
}

export const resultColumns = [
  ...['domain', 'external_id', 'result', 'reason', 'name', 'status', 'platform', 'country', 'industry', 'products'],
  ...['currency', 'median_price', 'technologies', 'last_scan'],
];

/** A row of the export. */
export const csvRow = ({ domain, externalId, match, reason, store }: ResultRow): (string | number)[] => [
  domain,
  externalId,
  match,
  reason,
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
