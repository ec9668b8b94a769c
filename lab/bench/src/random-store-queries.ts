import type { MergedStore } from '@shopscope/profiles';
import { type StoreQuery, searchBody, storeQueryOf } from '@shopscope/store-search';
import { oneOf, storeValues } from './generated-stores.ts';
import type { Random } from './random.ts';
import { searchVocabulary } from './search-vocabulary.ts';
import { generatedStore, type StoreCorpus } from './store-corpus.ts';

const clauses = 8;
const maxOthers = 6;
/** Returns the normalized query, as the gateway sends it to search. */
export function queryOf(sent: object): StoreQuery {
  const { where, sort } = searchBody.parse({ where: sent });
  return storeQueryOf({ where, sort }, searchVocabulary);
}

/**
 * Returns queries of eight clauses of `technologies` and `dropped`. Each is made from a random store, which fulfils it unless its observation
 * was partial: without that, eight random clauses match no store at all.
 */
export function randomWheres(random: Random, { stores, nowMs }: StoreCorpus): () => object {
  return () => {
    const store = generatedStore(random(stores), nowMs);
    const { platform, geography, industry, status } = store.profile;
    const dropped = droppedClauses(store);
    const technologies = Array.from({ length: clauses - dropped.length }, (_, at) =>
      at < 3 ? positiveClause(store, random) : negativeClause(store, random),
    );
    return {
      status: { any: [status.state] },
      ...(random(2) === 0 && { platform: { any: [platform.slug] } }),
      ...(random(2) === 0 && { country: { any: unique([geography.country, oneOf(storeValues.country, random)]) } }),
      ...(random(4) === 0 && { industry: { any: unique([industry.slug, oneOf(storeValues.industry, random)]) } }),
      technologies,
      ...(dropped.length > 0 && { dropped }),
    };
  };
}

/**
 * A clause that a technology of the store fits: by its slug beside others, by several slugs of the store, or by its category. The state in a body
 * may be another one than in the profile, so no clause asks for one state.
 */
function positiveClause({ profile }: MergedStore, random: Random): object {
  const { technologies, firstScanAt } = profile;
  const own = technologies[random(technologies.length)] as (typeof technologies)[number];
  const others = Array.from({ length: random(maxOthers) }, () => oneOf(storeValues.technology, random));
  const chosen = [
    { any: unique([own.slug, ...others]) },
    { all: unique([own.slug, technologies[random(technologies.length)]?.slug ?? own.slug]) },
    { any: { category: own.category } },
  ][random(3)];
  const isFirst = own.firstObservedAt <= firstScanAt;
  const from = new Date(own.firstObservedAt.getTime() - random(30) * 86_400_000).toISOString();
  const isAll = 'all' in (chosen as object);
  return {
    ...chosen,
    ...(random(3) === 0 && { install_state: ['active', 'configured', 'inactive'] }),
    ...(random(3) === 0 && { confidence_min: isAll ? 'low' : own.confidence }),
    ...(!isAll && random(3) === 0 && { first_observed: { from }, since_known: !isFirst }),
  };
}

/** A clause of technologies, or of a category, that the store does not have. */
function negativeClause({ profile }: MergedStore, random: Random): object {
  const slugs = new Set(profile.technologies.map(({ slug }) => slug));
  const categories = new Set(profile.technologies.map(({ category }) => category));
  const none = Array.from({ length: 1 + random(maxOthers) }, () => oneOf(storeValues.technology, random));
  const absent = unique(none.filter((slug) => !slugs.has(slug)));
  const category = searchVocabulary.categoryOf(none[0] as string) ?? '';
  if (random(3) === 0 && !categories.has(category)) return { none: { category } };
  return absent.length > 0 ? { none: absent } : { none: [rareSlug] };
}

/** The last technology, which few stores have. */
const rareSlug = storeValues.technology.at(-1) as string;

/** A clause of one removal of the store, if it has any. */
function droppedClauses({ profile, signals }: MergedStore): object[] {
  const present = new Set(profile.technologies.map(({ slug }) => slug));
  const removed = signals.find(({ signal }) => signal.type === 'technology_removed' && !present.has(signal.technology));
  return removed ? [{ any: [removed.signal.technology] }] : [];
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
