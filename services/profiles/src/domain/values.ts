import type {
  confidences,
  coverages,
  geographyBases,
  industryBases,
  installStates,
  observationScopes,
  storeStates,
} from '@shopscope/proto';

/**
 * The values of a profile, and the defaults for values that were not observed. The contract does not allow null for these members.
 */
export type Confidence = (typeof confidences)[number];
export type Scope = (typeof observationScopes)[number];
export type StoreState = (typeof storeStates)[number];
export type InstallState = (typeof installStates)[number];

/** The states of a live store: the site responds as a store. */
export const liveStates: readonly StoreState[] = ['active_storefront', 'password_protected'];

/**
 * The states of stores whose public page a search engine may list: sites that are a store, or were one until now. A page about a
 * parked domain, a site that is not a store, or a domain that only redirects to another one is of no use to a searcher.
 */
export const listedStates: readonly StoreState[] = [...liveStates, 'unreachable', 'closed'];

/** The source of technologies whose observation has no sources. */
export const homeSources: readonly string[] = ['home'];

export interface Geography {
  country: string;
  basis: (typeof geographyBases)[number];
}

export interface Industry {
  slug: string;
  basis: (typeof industryBases)[number];
}

export interface Catalog {
  asOf: Date;
  coverage: (typeof coverages)[number];
  productCount: number;
  availableCount: number | null;
  currency: string;
  priceRange: { median: number; p25: number; p75: number };
}

export const unknownGeography: Geography = { country: 'ZZ', basis: 'unknown' };
export const unknownIndustry: Industry = { slug: 'unclassified', basis: 'unknown' };
/** The platform of a store without a known platform. */
export const customPlatform = { slug: 'custom', name: 'Custom', confidence: 'low' } as const;
/** A theme outside the vocabulary. The merchant has chosen its name. */
export const customTheme = { slug: 'custom-theme', category: 'themes', kind: 'theme' } as const;

/** Technologies that signals may contain although the vocabulary does not. */
export const unlistedTechnologies = [
  { slug: customPlatform.slug, category: 'ecommerce', kind: 'platform' },
  customTheme,
];

/** The category of a technology that the vocabulary does not contain, or '' if it has none. */
export const unlistedCategoryOf = (slug: string): string =>
  unlistedTechnologies.find((each) => each.slug === slug)?.category ?? '';

export const noCatalog = (asOf: Date): Catalog => ({
  asOf,
  coverage: 'none',
  productCount: 0,
  availableCount: null,
  currency: 'XXX',
  priceRange: { median: 0, p25: 0, p75: 0 },
});

export function isOneOf<Value extends string>(values: readonly Value[], text: string): text is Value {
  return values.includes(text as Value);
}
