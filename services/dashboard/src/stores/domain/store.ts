import { z } from 'zod';

/**
 * A store as the HTTP API returns it.
 *
 * - Texts such as `state` may have values that this version does not know.
 * - Names are untrusted texts of the store's site. Pages show them with `ForeignText` only.
 */
export interface Store {
  brand_group_id: string;
  domain: string;
  storefront_host: string;
  storefront_id: string;
  name: string;
  profile_url: string;
  catalog: StoreCatalog;
  geography: { basis: string; country: string };
  industry: { basis: string; slug: string };
  observation: { coverage_note: string | null; last_completed_scan_at: string; scope: string };
  platform: {
    name: string;
    slug: string;
    confidence: string;
    first_observed_at: string;
    last_confirmed_at: string;
  };
  status: { state: string; as_of: string };
  technologies: StoreTechnology[];
  /** At most five, the newest first. */
  recent_signals: StoreSignal[];
}

/**
 * What the API has answered for a domain. `unreadable`: it has sent a profile in a form that this version does not know. The look-up
 * stays billed.
 */
export type StoreMatch = 'matched' | 'stale' | 'no_match' | 'error' | 'unreadable';

/** What the header of a profile shows. */
export type StoreSummary = Pick<Store, 'domain' | 'name' | 'storefront_host' | 'geography' | 'industry'> & {
  platform: Pick<Store['platform'], 'name' | 'slug' | 'confidence'>;
  status: Pick<Store['status'], 'state'>;
};

export interface StoreCatalog {
  as_of: string;
  product_count: number;
  available_count: number | null;
  coverage: string;
  currency: string;
  price_range: { median: number; p25: number; p75: number };
}

export interface StoreTechnology {
  category: string;
  confidence: string;
  first_observed_at: string;
  install_state: string;
  last_confirmed_at: string;
  name: string;
  slug: string;
}

export interface StoreSignal {
  id: string;
  type: string;
  technology: string;
  from: string | null;
  to: string | null;
  confidence: string;
  effective_at: string;
  confirmed_at: string;
}

const text = z.string();
const time = z.string().refine((value) => !Number.isNaN(Date.parse(value)));
const confirmed = { confidence: text, first_observed_at: time, last_confirmed_at: time, name: text, slug: text };

/** Additional members of a later version are dropped. */
export const storeSchema: z.ZodType<Store> = z.object({
  brand_group_id: text,
  domain: text,
  storefront_host: text,
  storefront_id: text,
  name: text,
  profile_url: text,
  catalog: z.object({
    as_of: time,
    product_count: z.number(),
    available_count: z.number().nullable(),
    coverage: text,
    currency: text,
    price_range: z.object({ median: z.number(), p25: z.number(), p75: z.number() }),
  }),
  geography: z.object({ basis: text, country: text }),
  industry: z.object({ basis: text, slug: text }),
  observation: z.object({ coverage_note: text.nullable(), last_completed_scan_at: time, scope: text }),
  platform: z.object(confirmed),
  status: z.object({ state: text, as_of: time }),
  technologies: z.array(z.object({ ...confirmed, category: text, install_state: text })),
  recent_signals: z.array(
    z.object({
      id: text,
      type: text,
      technology: text,
      from: text.nullable(),
      to: text.nullable(),
      confidence: text,
      effective_at: time,
      confirmed_at: time,
    }),
  ),
});
