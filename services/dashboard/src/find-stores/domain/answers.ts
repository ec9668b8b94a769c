import { z } from 'zod';

/** The answers of the API that the page shows. Unknown members are left out. */

const count = z.number().int().min(0);
const amount = z.object({ value: count, relation: z.string() });
const units = z.object({ lookup_cached: count.optional(), history_query: count.optional() });

export const storeCount = z.object({
  edition: z.object({ built_at: z.string() }),
  total: amount,
  not_judged: z.object({ scope_partial: amount.optional() }),
  quote: units,
  facets: z.array(
    z.object({
      field: z.string(),
      values: z.array(z.object({ value: z.string(), stores: count })),
      other: count.nullable(),
      unknown: count.nullable(),
    }),
  ),
  sample: z.array(z.object({ domain: z.string() })),
});

export type StoreCount = z.output<typeof storeCount>;
export type Facet = StoreCount['facets'][number];
export type Amount = z.output<typeof amount>;

export const storePage = z.object({
  billed: z.object({ lookup_cached: count, history_query: count }),
  edition: z.object({ built_at: z.string() }),
  data: z.array(
    z.object({
      domain: z.string(),
      matched: z.array(z.object({ technology: z.string(), since: z.string(), first_observed_at: z.string() })),
      dropped: z.array(z.object({ technology: z.string(), effective_at: z.string() })),
      changed_since_edition: z.boolean(),
      store: z.object({
        name: z.string(),
        platform: z.string(),
        country: z.string(),
        industry: z.string(),
        status: z.string(),
        last_completed_scan_at: z.string(),
      }),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export type StorePage = z.output<typeof storePage>;
export type StoreRow = StorePage['data'][number];
