/**
 * How a store of the scan row responds:
 * - `healthy`: a demo store
 * - `dead`: refuses connections
 * - `slow`: two seconds for each response
 * - `hanging`: accepts the connection and sends nothing
 * - `endless`: a page without an end
 * - `robots-bomb`: a robots.txt of 80 KB, 2,499 agents in one group of 2,499 rules
 * - `huge-listing`: a product listing of 10 MB
 * - `deep-listing`: a listing of arrays in arrays, which needs more memory than the examiner may take
 */
export const storeKinds = [
  'healthy',
  'dead',
  'slow',
  'hanging',
  'endless',
  'robots-bomb',
  'huge-listing',
  'deep-listing',
] as const;
export type StoreKind = (typeof storeKinds)[number];

/** The other kinds among fifty stores that are not healthy. */
const troubled: readonly [kind: StoreKind, count: number][] = [
  ['dead', 20],
  ['slow', 13],
  ['endless', 5],
  ['robots-bomb', 5],
  ['hanging', 3],
  ['huge-listing', 3],
  ['deep-listing', 1],
];
const troubledInTurn = troubled.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
/** Coprime to the number of kinds in turn, so that stores of one kind do not follow each other. */
const step = 7;

/** The kinds of stores in the order of their scans: every tenth is not healthy. */
export function kindOf(store: number): StoreKind {
  if (store % 10 !== 9) return 'healthy';
  return troubledInTurn[(Math.floor(store / 10) * step) % troubledInTurn.length] as StoreKind;
}

/** The name tells the server of the stores how to respond. */
export const domainOf = (kind: StoreKind, store: number, run: string): string => `${kind}-${run}-${store}.example`;

/** The kind of a store of this name. */
export const kindOfDomain = (domain: string): StoreKind =>
  storeKinds.find((kind) => domain.startsWith(`${kind}-`)) ?? 'healthy';
