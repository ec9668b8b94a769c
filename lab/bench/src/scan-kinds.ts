/**
 * How a store of the scan row responds:
 * - `healthy`: it responds as a demo store.
 * - `dead`: it refuses connections.
 * - `slow`: it takes two seconds for each response.
 * - `hanging`: it accepts the connection and sends nothing.
 * - `endless`: its page has no end.
 * - `robots-bomb`: its robots.txt of 95 KB has one group with 2,499 agents and 2,499 rules.
 * - `huge-listing`: its product listing has almost 9 MB.
 * - `deep-listing`: its listing has arrays within arrays, and needs more memory than the examiner may use.
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

/** How many of fifty stores that are not healthy have each kind. */
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
/** The step is coprime to the length of {@link troubledInTurn}, so that stores of one kind do not follow each other. */
const step = 7;

/** Returns the kind of a store by its place in the order of the scans. Every tenth store is not healthy. */
export function kindOf(store: number): StoreKind {
  if (store % 10 !== 9) return 'healthy';
  return troubledInTurn[(Math.floor(store / 10) * step) % troubledInTurn.length] as StoreKind;
}

/** The name tells the server of the stores how to respond. */
export const domainOf = (kind: StoreKind, store: number, run: string): string => `${kind}-${run}-${store}.example`;

/** Returns the kind of the store with this domain. */
export const kindOfDomain = (domain: string): StoreKind =>
  storeKinds.find((kind) => domain.startsWith(`${kind}-`)) ?? 'healthy';
