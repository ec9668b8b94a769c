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
 * The values of a profile, and the defaults for values that were not observed: the contract does not allow null for these members.
 */
export type Confidence = (typeof confidences)[number];
export type Scope = (typeof observationScopes)[number];
export type StoreState = (typeof storeStates)[number];
export type InstallState = (typeof installStates)[number];

/**
 * The states of a live store: the site responds as a store. Only these stores count as users of a technology. Closed, parked
 * and redirected sites and sites that are no store use nothing now. Of an unreachable site nobody knows what it uses now.
 */
export const liveStates: readonly StoreState[] = ['active_storefront', 'password_protected'];

/**
 * The states of stores whose public page a search engine may list: what is a store, or was one until now. A page about a
 * parked domain, a site that is no store, or a domain that only leads to another one says nothing that anybody looks for.
 */
export const listedStates: readonly StoreState[] = [...liveStates, 'unreachable', 'closed'];

/** The source of technologies whose observation names none. */
export const homeSources: readonly string[] = ['home'];

/** The install states that mean that a store uses the technology. */
export const usedInstallStates: readonly InstallState[] = ['configured', 'active'];

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
/** A theme outside the vocabulary. Its name is the merchant's. */
export const customTheme = { slug: 'custom-theme', category: 'themes', kind: 'theme' } as const;

/** What signals name although the vocabulary does not have it. */
export const unlistedTechnologies = [
  { slug: customPlatform.slug, category: 'ecommerce', kind: 'platform' },
  customTheme,
];

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
