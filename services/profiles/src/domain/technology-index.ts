import { presentSlug, type VocabularyEntry } from '@shopscope/fingerprint';
import type { ListTechnologiesRequest, Technology } from '@shopscope/proto';
import { createOrder } from './technology-order.ts';

/** Empty members do not filter. `q` is a case-insensitive prefix of name or slug. Without `order`, entries are sorted by slug. */
export type TechnologyQuery = ListTechnologiesRequest;

export interface TechnologyPage {
  technologies: Technology[];
  hasMore: boolean;
}

export type TechnologyIndex = ReturnType<typeof createTechnologyIndex>;

interface Term {
  text: string;
  /** The position in the list of entries. */
  position: number;
}

/**
 * The vocabulary, which is indexed once at the start. A page costs a binary search and a scan of the matches. Entries
 * are immutable and sorted by slug in code-unit order. `afterSlug` uses the order of the page. Another order costs a scan of the matches.
 * `siteUrl` has no trailing slash.
 */
export function createTechnologyIndex(vocabulary: readonly VocabularyEntry[], siteUrl: string) {
  const entries = vocabulary.map((entry) => technologyOf(entry, siteUrl)).sort((a, b) => compare(a.slug, b.slug));
  const slugs = entries.map((entry) => entry.slug);
  const bySlug = new Map(entries.map((entry) => [entry.slug, entry]));
  const byKind = Map.groupBy(entries, (entry) => entry.kind);
  const byCategory = Map.groupBy(entries, (entry) => entry.category);
  const terms = entries
    .flatMap((entry, position): Term[] => [
      { text: entry.slug.toLowerCase(), position },
      { text: entry.name.toLowerCase(), position },
    ])
    .sort((a, b) => compare(a.text, b.text));
  const texts = terms.map((term) => term.text);

  const withPrefix = (prefix: string): Technology[] => {
    const positions = new Set<number>();
    for (let i = firstFrom(texts, prefix); texts[i]?.startsWith(prefix); i++)
      positions.add(terms[i]?.position as number);
    return [...positions].sort((a, b) => a - b).map((position) => entries[position] as Technology);
  };

  /** Returns the smallest prepared list that contains every match. */
  const listFor = ({ kind, category, q }: Pick<TechnologyQuery, 'kind' | 'category' | 'q'>): readonly Technology[] => {
    if (q !== '') return withPrefix(q.toLowerCase());
    if (category !== '') return byCategory.get(category) ?? [];
    return kind === '' ? entries : (byKind.get(kind) ?? []);
  };

  return {
    size: entries.length,
    categories: [...byCategory.keys()],
    /** Finds an entry by its slug, or by an earlier slug of the product. */
    find: (slug: string): Technology | undefined => bySlug.get(presentSlug(slug)),
    /** Returns every slug of a kind and a category. An empty member does not filter. */
    slugsOf({ kind, category }: Pick<TechnologyQuery, 'kind' | 'category'>): string[] {
      const list = listFor({ kind, category, q: '' });
      return list.filter((entry) => kind === '' || entry.kind === kind).map(({ slug }) => slug);
    },
    page(query: TechnologyQuery): TechnologyPage {
      const { kind, category, afterSlug, limit } = query;
      const order = query.order && createOrder(query.order);
      const list = order ? order.arrange(listFor(query)) : listFor(query);
      const technologies: Technology[] = [];
      const first = order
        ? firstWhere(list, ({ slug }) => order.isAfter(slug, afterSlug))
        : firstAfter(list === entries ? slugs : list.map(({ slug }) => slug), afterSlug);
      for (let i = first; i < list.length; i++) {
        const entry = list[i] as Technology;
        if ((kind !== '' && entry.kind !== kind) || (category !== '' && entry.category !== category)) continue;
        if (technologies.length === limit) return { technologies, hasMore: true };
        technologies.push(entry);
      }
      return { technologies, hasMore: false };
    },
  };
}

function technologyOf(entry: VocabularyEntry, siteUrl: string): Technology {
  const ownPage = `${siteUrl}/technologies/${entry.slug}`;
  return {
    slug: entry.slug,
    name: entry.name,
    kind: entry.kind,
    category: entry.category,
    vendor: entry.vendor || entry.name,
    website: entry.website || ownPage,
    listingUrl: entry.listingUrl || ownPage,
  };
}

/** Returns the index of the first element that is not less than `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstAfter(sorted: readonly string[], text: string): number {
  const at = firstFrom(sorted, text);
  return sorted[at] === text ? at + 1 : at;
}

function firstWhere<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  const at = values.findIndex(holds);
  return at < 0 ? values.length : at;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
