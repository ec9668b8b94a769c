import { z } from 'zod';

const text = z.string();
const time = z.string().refine((value) => !Number.isNaN(Date.parse(value)));
const confirmed = { confidence: text, first_observed_at: time, last_confirmed_at: time, name: text, slug: text };

const catalog = z.object({
  as_of: time,
  product_count: z.number(),
  available_count: z.number().nullable(),
  coverage: text,
  currency: text,
  price_range: z.object({ median: z.number(), p25: z.number(), p75: z.number() }),
});
const technology = z.object({ ...confirmed, category: text, install_state: text });
const signal = z.object({
  id: text,
  type: text,
  technology: text,
  from: text.nullable(),
  to: text.nullable(),
  confidence: text,
  effective_at: time,
  confirmed_at: time,
});

/**
 * A store as the HTTP API returns it.
 *
 * - Texts such as `state` may have values that this version does not know. Additional members of later versions are dropped.
 * - Names are untrusted texts from the store's site. Pages show them with `ForeignText` only.
 */
export const storeSchema = z.object({
  brand_group_id: text,
  domain: text,
  storefront_host: text,
  storefront_id: text,
  name: text,
  profile_url: text,
  catalog,
  geography: z.object({ basis: text, country: text }),
  industry: z.object({ basis: text, slug: text }),
  observation: z.object({ coverage_note: text.nullable(), last_completed_scan_at: time, scope: text }),
  platform: z.object(confirmed),
  status: z.object({ state: text, as_of: time }),
  technologies: z.array(technology),
  /** At most five signals, newest first. */
  recent_signals: z.array(signal),
});

export type Store = z.output<typeof storeSchema>;
export type StoreCatalog = z.output<typeof catalog>;
export type StoreTechnology = z.output<typeof technology>;
export type StoreSignal = z.output<typeof signal>;

/**
 * The answer of the API for a domain. `unreadable`: the API sent a profile in a form that this version does not know.
 * The look-up is still billed.
 */
export type StoreMatch = 'matched' | 'stale' | 'no_match' | 'error' | 'unreadable';

/** The members of a profile that its header shows. */
export type StoreSummary = Pick<Store, 'domain' | 'name' | 'storefront_host' | 'geography' | 'industry'> & {
  platform: Pick<Store['platform'], 'name' | 'slug' | 'confidence'>;
  status: Pick<Store['status'], 'state'>;
};
