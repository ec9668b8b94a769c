import {
  coverages,
  geographyBases,
  industryBases,
  type ObservedCatalog,
  type ObservedGeography,
  type ObservedIndustry,
} from '@shopscope/proto';
import { cleaned } from '@shopscope/text';
import {
  type Catalog,
  type Geography,
  homeSources,
  type Industry,
  isOneOf,
  unknownGeography,
  unknownIndustry,
} from './values.ts';

// These functions validate values that originate from page text. An invalid value counts as not observed.

const maxTextLength = 200;
/** A note of the scanner lists the pages and records that it read. */
const maxNoteLength = 400;

/** Returns one clean line of at most 200 characters, which may be ''. */
export const parseText = (text: string): string => cleaned(text, maxTextLength);
/** Like {@link parseText}, with at most 400 characters. */
export const parseNote = (text: string): string => cleaned(text, maxNoteLength);

const maxSources = 20;

/** Returns the valid sources in a fixed order. If none is valid, the home page counts as read. */
export function parseSources(sources: readonly string[]): readonly string[] {
  const valid = sources.slice(0, maxSources).filter((source) => /^[a-z][a-z0-9.-]{0,29}$/.test(source));
  return valid.length > 0 ? [...new Set(valid)].sort() : homeSources;
}

/** Returns the platform slugs of further pages. An invalid slug becomes '', which counts as a page that shows another platform. */
export const parseSlugs = (slugs: readonly string[]): readonly string[] =>
  slugs.slice(0, maxSources).map((slug) => (/^[a-z0-9-]{1,100}$/.test(slug) ? slug : ''));

/** Returns the host name in lower case, or '' if it is invalid. */
export function parseHost(text: string): string {
  const host = text.toLowerCase();
  return /^[a-z0-9.-]{1,253}$/.test(host) ? host : '';
}

export function parseGeography(seen: ObservedGeography | undefined): Geography | null {
  if (!seen || !/^[A-Z]{2}$/.test(seen.country) || !isOneOf(geographyBases, seen.basis)) return null;
  return seen.country === unknownGeography.country ? null : { country: seen.country, basis: seen.basis };
}

export function parseIndustry(seen: ObservedIndustry | undefined): Industry | null {
  if (!seen || !/^[a-z0-9-]{1,100}$/.test(seen.slug) || !isOneOf(industryBases, seen.basis)) return null;
  return seen.slug === unknownIndustry.slug ? null : { slug: seen.slug, basis: seen.basis };
}

/** `asOf` is the time of the observation. */
export function parseCatalog(seen: ObservedCatalog | undefined, asOf: Date): Catalog | null {
  if (!seen || !isOneOf(coverages, seen.coverage) || seen.coverage === 'none') return null;
  return {
    asOf,
    coverage: seen.coverage,
    productCount: seen.productCount,
    availableCount: seen.availableCount ?? null,
    currency: /^[A-Z]{3}$/.test(seen.currency) ? seen.currency : 'XXX',
    priceRange: { median: price(seen.priceMedian), p25: price(seen.priceP25), p75: price(seen.priceP75) },
  };
}

function price(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}
