import {
  confidences,
  coverages,
  geographyBases,
  industryBases,
  installStates,
  observationScopes,
  signalTypes,
  storeStates,
} from '@shopscope/proto';
import { z } from 'zod';
import {
  confidenceMeanings,
  coverageMeanings,
  geographyBasisMeanings,
  industryBasisMeanings,
  installStateMeanings,
  scopeMeanings,
  signalTypeMeanings,
  storeStateMeanings,
} from '../../contract/meanings.ts';
import { count, domain, idWith, named, openEnum, slug, timestamp } from '../../contract/schemas.ts';

// The schema of a store. The gateway sends the bytes of profiles and does not encode stores itself.

export const catalog = named(
  'Catalog',
  z.object({
    as_of: timestamp().describe('The scan that the figures are of. ISO 8601, UTC'),
    product_count: count().describe('Products of the catalogue, as far as coverage says'),
    available_count: count().nullable().describe('Of these, products that can be bought; null when it is not known'),
    coverage: openEnum(coverages, { meanings: coverageMeanings }),
    currency: z.string().length(3).describe('ISO 4217 code; XXX when no catalogue was seen'),
    price_range: z
      .object({
        median: z.number().describe('Half of the products cost at most this'),
        p25: z.number().describe('A quarter of the products cost at most this'),
        p75: z.number().describe('Three quarters of the products cost at most this'),
      })
      .describe('Prices of the products, in currency'),
  }),
  'What the store sells: number of products and prices, without the products themselves.',
);

export const technologyEntry = named(
  'StoreTechnology',
  z.object({
    category: slug().describe('Category slug of the vocabulary'),
    confidence: openEnum(confidences, { meanings: confidenceMeanings }),
    first_observed_at: timestamp().describe('The scan that saw it first since it was absent. ISO 8601, UTC'),
    install_state: openEnum(installStates, { meanings: installStateMeanings }),
    last_confirmed_at: timestamp().describe('The latest scan that saw it. ISO 8601, UTC'),
    name: z.string().describe('Name of the vocabulary; of a theme that it lacks, the name that the store uses'),
    slug: slug().describe('Canonical identifier; custom-theme for a theme that the vocabulary lacks'),
  }),
  'A technology that the store uses.',
);

export const signal = named(
  'Signal',
  z.object({
    id: idWith('evt'),
    type: openEnum(signalTypes, { meanings: signalTypeMeanings }),
    technology: slug().describe("Technology slug; the platform's for platform_changed and status_changed"),
    from: z
      .string()
      .nullable()
      .describe('The value before: an install_state, a platform slug or a status.state; null when added'),
    to: z.string().nullable().describe('The value after, of the same kind; null when removed'),
    confidence: openEnum(confidences, { meanings: confidenceMeanings }),
    effective_at: timestamp().describe('The scan that saw the change first. ISO 8601, UTC'),
    confirmed_at: timestamp().describe('The scan that confirmed it. ISO 8601, UTC'),
  }),
  'A confirmed change.',
);

export const observation = named(
  'Observation',
  z.object({
    coverage_note: z
      .string()
      .nullable()
      .describe(
        'What could not be seen or is not listed (always with scope partial), that the name is only the domain, what was looked at, and which changes are not confirmed yet and from when a scan can confirm them; in words',
      ),
    last_completed_scan_at: timestamp().describe('The end of the scan that the profile is of. ISO 8601, UTC'),
    scope: openEnum(observationScopes, { meanings: scopeMeanings }),
  }),
  'The latest completed scan, and what it could see.',
);

export const store = named(
  'Store',
  z.object({
    brand_group_id: idWith('bg'),
    domain: domain(),
    storefront_host: z.string().describe('Host that serves the shop; equal to domain when it is the same'),
    storefront_id: idWith('sf'),
    name: z.string().describe('Name of the store, in its own words'),
    profile_url: z.url().describe('Public page of the profile, for people'),
    catalog,
    geography: z
      .object({
        basis: openEnum(geographyBases, { meanings: geographyBasisMeanings }),
        country: z.string().length(2).describe('ISO 3166-1 alpha-2, and XK for Kosovo; ZZ when unknown'),
      })
      .describe('Where the store is'),
    industry: z
      .object({
        basis: openEnum(industryBases, { meanings: industryBasisMeanings }),
        slug: slug().describe('The industry; unclassified when it is not known'),
      })
      .describe('What kind of things the store sells'),
    observation,
    platform: z
      .object({
        name: z.string().describe('Name of the platform'),
        slug: slug().describe('Platform slug of the vocabulary; custom for a shop on no known platform'),
        confidence: openEnum(confidences, { meanings: confidenceMeanings }),
        first_observed_at: timestamp().describe('The scan that saw it first. ISO 8601, UTC'),
        last_confirmed_at: timestamp().describe('The latest scan that saw it. ISO 8601, UTC'),
      })
      .describe('The software that runs the shop'),
    status: z
      .object({
        state: openEnum(storeStates, { meanings: storeStateMeanings }),
        as_of: timestamp().describe('The scan that the state is of. ISO 8601, UTC'),
      })
      .describe('Whether the shop trades'),
    technologies: z.array(technologyEntry).describe('What the store uses: apps, services and themes'),
    recent_signals: z
      .array(signal)
      .max(5)
      .describe('The last five confirmed signals, newest first; a retracted one leaves the list'),
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
