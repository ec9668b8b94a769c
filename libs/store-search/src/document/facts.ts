import { type Day, dayOf } from '../language/days.ts';
import type { SearchVocabulary } from '../language/vocabulary.ts';

/** What is known of a store: the input of its document, and of the members of a row that the store's body lacks. */
export interface StoreFacts {
  /** Canonical registrable domain. */
  domain: string;
  storefrontId: string;
  /** The sequence of the observation that profiles merged last. */
  sequence: number;
  /** The parsed body of getStore. */
  body: StoreBody;
  firstScanAtMs: number;
  /** The confirmed technology_removed signals of the retention. */
  removed: readonly RemovedTechnology[];
  /** The confirmed platform_changed signals of the retention. */
  moved: readonly PlatformMove[];
  /** The confirmation of the latest confirmed signal. Undefined if there is none. */
  lastChangedAtMs?: number | undefined;
}

/** The members of a body that searches read. */
export interface StoreBody {
  platform: { slug: string };
  geography: { country: string };
  industry: { slug: string };
  status: { state: string };
  observation: { scope: string; last_completed_scan_at: string };
  catalog: { product_count: number; coverage: string };
  technologies: readonly BodyTechnology[];
}

export interface BodyTechnology {
  slug: string;
  category: string;
  install_state: string;
  confidence: string;
  first_observed_at: string;
  last_confirmed_at: string;
}

interface Change {
  signalId: string;
  effectiveAtMs: number;
  confirmedAtMs: number;
}

export interface RemovedTechnology extends Change {
  slug: string;
}

export interface PlatformMove extends Change {
  from: string;
  to: string;
}

/** A technology of a store, as queries see it. */
export interface Entry {
  slug: string;
  category: string;
  /** Undefined if the vocabulary has no such technology any more. */
  kind: string | undefined;
  installState: string;
  confidence: string;
  firstObservedDay: Day;
  /** The first scan of the store saw it already, so it may be older than its day. */
  isOfFirstScan: boolean;
  /** The entry of the body. */
  body: BodyTechnology;
}

/**
 * The category is that of the body, which rows show. The kind is not in the body. A body can have a product under an earlier slug and under the
 * present one, until scans have confirmed that the earlier one is gone: see `asOneEntry`.
 */
export function entriesOf({ body, firstScanAtMs }: StoreFacts, vocabulary: SearchVocabulary): Entry[] {
  const bySlug = Map.groupBy(body.technologies, ({ slug }) => vocabulary.presentSlug(slug));
  return [...bySlug].map(([slug, sameProduct]) => {
    const each = asOneEntry(sameProduct);
    const firstObservedAtMs = Date.parse(each.first_observed_at);
    return {
      slug,
      category: each.category,
      kind: vocabulary.kindOf(slug),
      installState: each.install_state,
      confidence: each.confidence,
      firstObservedDay: dayOf(firstObservedAtMs),
      isOfFirstScan: firstObservedAtMs <= firstScanAtMs,
      body: each,
    };
  });
}

/** A product with two slugs is as its latest scan saw it, since it was seen first: a new slug is no new customer. */
function asOneEntry(sameProduct: readonly BodyTechnology[]): BodyTechnology {
  const [first, ...others] = sameProduct as [BodyTechnology, ...BodyTechnology[]];
  return others.reduce((one, other) => {
    const latest = other.last_confirmed_at > one.last_confirmed_at ? other : one;
    const since = other.first_observed_at < one.first_observed_at ? other : one;
    return { ...latest, first_observed_at: since.first_observed_at };
  }, first);
}

/** A removal of a technology that the store does not have now. */
export interface Drop {
  slug: string;
  category: string | undefined;
  kind: string | undefined;
  effectiveDay: Day;
  signal: RemovedTechnology;
}

export function dropsOf(facts: StoreFacts, vocabulary: SearchVocabulary): Drop[] {
  const present = new Set(facts.body.technologies.map(({ slug }) => vocabulary.presentSlug(slug)));
  return facts.removed
    .map((signal) => {
      const slug = vocabulary.presentSlug(signal.slug);
      const category = vocabulary.categoryOf(slug);
      return { slug, category, kind: vocabulary.kindOf(slug), effectiveDay: dayOf(signal.effectiveAtMs), signal };
    })
    .filter(({ slug }) => !present.has(slug));
}

/** Undefined if the catalogue was not seen: the number in the body then means nothing. */
export const productCountOf = ({ catalog }: StoreBody): number | undefined =>
  catalog.coverage === 'none' ? undefined : catalog.product_count;
