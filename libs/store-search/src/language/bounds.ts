/**
 * The bounds of the language. Together they keep an engine's query below {@link maxLeaves}, the number of terms, ranges and lists of terms that
 * one query of the engine may have.
 */
export const maxLeaves = 1_000;

/** The clauses of `technologies` and `dropped` together. */
export const maxClauses = 8;
/** The technologies of a clause. */
export const maxSlugs = 20;
/** The categories or kinds of a clause. A clause with dates reads nine ranges for each of them, one per state and confidence. */
export const maxGroups = 10;
/** The values of any other list. */
export const maxValues = 50;
/** Each pair of platforms that `moved` allows is one range. */
export const maxPlatformPairs = 200;

export const maxProducts = 10_000_000;
/** A range of products begins and ends at a multiple. */
export const productStep = 10;

export const maxFacets = 8;
export const facetSizes = { min: 1, max: 100, default: 10 } as const;
export const maxExportRows = 100_000;
export const pageSizes = { min: 1, max: 200, default: 50 } as const;

/** The stores of all lists of a query together: the engine accepts 65,536 values of a list. */
export const maxListedStores = 50_000;
