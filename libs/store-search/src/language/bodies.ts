import { z } from 'zod';
import { facetSizes, maxFacets, pageSizes } from './bounds.ts';
import { sorts, views } from './values.ts';
import { where } from './where.ts';

/** The bodies of `POST /v1/stores/search` and `POST /v1/stores/count`. */

export const maxUnits = z
  .strictObject({ lookup_cached: z.int().min(0).optional(), history_query: z.int().min(0).optional() })
  .describe('The request is refused with 400 if it would bill more');

export const searchBody = z.strictObject({
  where: where.default({}),
  sort: z.enum(sorts).default('domain').describe('Stores with equal values are ordered by storefront_id'),
  view: z.enum(views).default('full').describe('`compact`: fewer members of each store, at the same price'),
  limit: z.int().min(pageSizes.min).max(pageSizes.max).default(pageSizes.default).describe('Rows of a page'),
  cursor: z.string().min(1).max(500).nullable().default(null).describe('next_cursor of the page before'),
  max_units: maxUnits.optional(),
});

/** `technology:category=email` counts the technologies of one category. */
const facetName =
  /^(?:platform|country|industry|status|technology|category|first_observed_month|dropped_month|technology:category=[a-z0-9-]{1,100})$/;

export const countBody = z.strictObject({
  where: where.default({}),
  facets: z
    .array(
      z
        .string()
        .max(150)
        .regex(
          facetName,
          'must be platform, country, industry, status, technology, technology:category=SLUG, category, first_observed_month or dropped_month',
        ),
    )
    .max(maxFacets)
    .default([])
    .describe('What to count the stores by'),
  facet_size: z
    .int()
    .min(facetSizes.min)
    .max(facetSizes.max)
    .default(facetSizes.default)
    .describe('Values of a facet: those with most stores, and of months the latest'),
});
