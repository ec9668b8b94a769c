import { z } from 'zod';
import {
  confidenceMeanings,
  coverageMeanings,
  geographyBasisMeanings,
  industryBasisMeanings,
  installStateMeanings,
  meaningsText,
  scopeMeanings,
  signalTypeMeanings,
  storeStateMeanings,
} from './meanings.ts';
import { count, domain, idWith, named, slug, timestamp } from './schemas.ts';

// The schema of a store. The gateway sends the bytes of profiles and does not encode stores itself.

// The current values. They are documented and not enforced, because a later release may add values.
export const confidenceValues = ['high', 'medium', 'low'] as const;
export const coverageValues = ['first_page', 'full', 'none'] as const;
export const geographyBases = ['observed', 'declared', 'inferred', 'unknown'] as const;
export const industryBases = ['classified', 'declared', 'unknown'] as const;
export const scopeValues = ['full', 'partial'] as const;
export const installStates = ['configured', 'active', 'inactive'] as const;
export const storeStates = [
  'active_storefront',
  'password_protected',
  'redirected',
  'parked',
  'unreachable',
  'closed',
  'not_a_storefront',
] as const;
export const signalTypes = [
  'technology_added',
  'technology_removed',
  'install_state_changed',
  'platform_changed',
  'status_changed',
] as const;

/** A string with documented values: each of `values` has its meaning in the description. */
const openEnded = <Value extends string>(values: readonly Value[], meanings: Readonly<Record<Value, string>>) =>
  z.string().describe(`Open-ended; today one of: ${values.join(', ')}. ${meaningsText(meanings)}`);

export const catalog = named(
  'Catalog',
  z.object({
    as_of: timestamp(),
    product_count: count(),
    available_count: count().nullable(),
    coverage: openEnded(coverageValues, coverageMeanings),
    currency: z.string().length(3).describe('ISO 4217 code; XXX when no catalogue was seen'),
    price_range: z.object({ median: z.number(), p25: z.number(), p75: z.number() }),
  }),
);

export const technologyEntry = named(
  'StoreTechnology',
  z.object({
    category: slug(),
    confidence: openEnded(confidenceValues, confidenceMeanings),
    first_observed_at: timestamp(),
    install_state: openEnded(installStates, installStateMeanings),
    last_confirmed_at: timestamp(),
    name: z.string(),
    slug: slug(),
  }),
);

export const signal = named(
  'Signal',
  z.object({
    id: idWith('evt'),
    type: openEnded(signalTypes, signalTypeMeanings),
    technology: slug().describe("Technology slug; the platform's for platform_changed and status_changed"),
    from: z
      .string()
      .nullable()
      .describe('The value before: an install_state, a platform slug or a status.state; null when added'),
    to: z.string().nullable().describe('The value after, of the same kind; null when removed'),
    confidence: openEnded(confidenceValues, confidenceMeanings),
    effective_at: timestamp(),
    confirmed_at: timestamp(),
  }),
);

export const observation = named(
  'Observation',
  z.object({
    coverage_note: z
      .string()
      .nullable()
      .describe(
        'What could not be seen or is not listed (always with scope partial), that the name is only the domain, and what was looked at; in words',
      ),
    last_completed_scan_at: timestamp(),
    scope: openEnded(scopeValues, scopeMeanings),
  }),
);

export const store = named(
  'Store',
  z.object({
    brand_group_id: idWith('bg'),
    domain: domain(),
    storefront_host: z.string().describe('Host that serves the shop; equal to domain when it is the same'),
    storefront_id: idWith('sf'),
    name: z.string(),
    profile_url: z.url(),
    catalog,
    geography: z.object({
      basis: openEnded(geographyBases, geographyBasisMeanings),
      country: z.string().length(2).describe('ISO 3166-1 alpha-2; ZZ when unknown'),
    }),
    industry: z.object({ basis: openEnded(industryBases, industryBasisMeanings), slug: slug() }),
    observation,
    platform: z.object({
      name: z.string(),
      slug: slug(),
      confidence: openEnded(confidenceValues, confidenceMeanings),
      first_observed_at: timestamp(),
      last_confirmed_at: timestamp(),
    }),
    status: z.object({ state: openEnded(storeStates, storeStateMeanings), as_of: timestamp() }),
    technologies: z.array(technologyEntry),
    recent_signals: z.array(signal).max(5).describe('The last five confirmed signals, newest first'),
  }),
  'What is known of a web store from completed observations.',
);

export const storeResponse = named(
  'StoreResponse',
  z.object({ match: z.literal('matched').describe('matched also when the profile is stale'), store }),
);

export const storeParams = z.object({
  domain: z
    .string()
    .min(3)
    .max(253)
    .describe(
      'A hostname, or a whole URL, percent-encoded as one path segment; canonicalized to the registrable domain',
    ),
});
