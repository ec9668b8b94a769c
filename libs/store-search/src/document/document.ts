import type { Day } from '../language/days.ts';
import { dayOf } from '../language/days.ts';
import type { SearchVocabulary } from '../language/vocabulary.ts';
import { dropsOf, type Entry, entriesOf, productCountOf, type StoreFacts } from './facts.ts';
import { dayKeyword, groupName, moveName, stateKeyword } from './keywords.ts';

/**
 * The document of a store in the engine. Its id is the domain, and its external version is the sequence.
 *
 * One entry must fulfil all conditions of a clause. The engine's document has no nested documents, so keywords carry the conditions:
 *
 * - A store has one entry per slug. Several keywords of one slug are therefore always of the same entry.
 * - A category or kind can have several entries. One keyword therefore carries everything that a clause may ask of an entry: `group_since` has the
 *   state, the confidence and the day. The day comes last, so a range of days is a range of keywords.
 * - An entry that the first scan saw is in the `..._first` fields, and its day is `first_scan_day`. Every other entry is in the `..._since` fields
 *   with its own day.
 */
export interface SearchDocument {
  domain: string;
  storefront_id: string;
  platform: string;
  country: string;
  industry: string;
  status: string;
  scope: string;
  /** Absent if the catalogue was not seen. */
  product_count?: number;
  last_scan_at: number;
  /** Absent if no change was confirmed. */
  last_changed_at?: number;
  first_scan_day: Day;

  /** klaviyo */
  tech: string[];
  /** klaviyo@active@high */
  tech_state: string[];
  /** klaviyo@20260809 */
  tech_since: string[];
  /** klaviyo */
  tech_first: string[];
  /** email */
  category: string[];
  /** app */
  kind: string[];
  /** category:email@active@high, kind:app@active@high */
  group_state: string[];
  /** category:email@active@high@20260809 */
  group_since: string[];
  /** category:email@active@high */
  group_first: string[];

  /** yotpo@20261003 */
  dropped: string[];
  /** category:reviews@20261003 */
  dropped_group: string[];
  /** magento>shopify@20260601 */
  moved: string[];
  /** magento@20260601 */
  moved_from: string[];
  /** shopify@20260601 */
  moved_to: string[];
  moved_day: Day[];
}

export interface VersionedDocument {
  id: string;
  version: number;
  document: SearchDocument;
}

export function documentOf(facts: StoreFacts, vocabulary: SearchVocabulary): VersionedDocument {
  const { body, lastChangedAtMs } = facts;
  const productCount = productCountOf(body);
  const document: SearchDocument = {
    domain: facts.domain,
    storefront_id: facts.storefrontId,
    platform: body.platform.slug,
    country: body.geography.country,
    industry: body.industry.slug,
    status: body.status.state,
    scope: body.observation.scope,
    ...(productCount !== undefined && { product_count: productCount }),
    last_scan_at: Date.parse(body.observation.last_completed_scan_at),
    ...(lastChangedAtMs !== undefined && { last_changed_at: lastChangedAtMs }),
    first_scan_day: dayOf(facts.firstScanAtMs),
    ...technologiesOf(entriesOf(facts, vocabulary)),
    ...changesOf(facts, vocabulary),
  };
  return { id: facts.domain, version: facts.sequence, document };
}

function technologiesOf(entries: readonly Entry[]) {
  const since = entries.filter(({ isOfFirstScan }) => !isOfFirstScan);
  const first = entries.filter(({ isOfFirstScan }) => isOfFirstScan);
  return {
    tech: distinct(entries.map(({ slug }) => slug)),
    tech_state: distinct(entries.map((each) => stateKeyword(each.slug, each.installState, each.confidence))),
    tech_since: distinct(since.map((each) => dayKeyword(each.slug, each.firstObservedDay))),
    tech_first: distinct(first.map(({ slug }) => slug)),
    category: distinct(entries.map(({ category }) => category)),
    kind: distinct(entries.flatMap(({ kind }) => kind ?? [])),
    group_state: distinct(entries.flatMap(groupStates)),
    group_since: distinct(
      since.flatMap((each) => groupStates(each).map((name) => dayKeyword(name, each.firstObservedDay))),
    ),
    group_first: distinct(first.flatMap(groupStates)),
  };
}

const groupStates = (entry: Entry): string[] =>
  groupsOf(entry).map((name) => stateKeyword(name, entry.installState, entry.confidence));

const groupsOf = ({ category, kind }: { category: string | undefined; kind: string | undefined }): string[] => [
  ...(category === undefined ? [] : [groupName('category', category)]),
  ...(kind === undefined ? [] : [groupName('kind', kind)]),
];

function changesOf(facts: StoreFacts, vocabulary: SearchVocabulary) {
  const drops = dropsOf(facts, vocabulary);
  const moves = facts.moved.map((each) => ({ ...each, day: dayOf(each.effectiveAtMs) }));
  return {
    dropped: distinct(drops.map(({ slug, effectiveDay }) => dayKeyword(slug, effectiveDay))),
    dropped_group: distinct(drops.flatMap((each) => groupsOf(each).map((name) => dayKeyword(name, each.effectiveDay)))),
    moved: distinct(moves.map(({ from, to, day }) => dayKeyword(moveName(from, to), day))),
    moved_from: distinct(moves.map(({ from, day }) => dayKeyword(from, day))),
    moved_to: distinct(moves.map(({ to, day }) => dayKeyword(to, day))),
    moved_day: distinct(moves.map(({ day }) => day)),
  };
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
