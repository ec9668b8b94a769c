import { canonicalJson } from '@shopscope/text';
import type {
  DroppedClause,
  MovedFilter,
  Quantifier,
  Selected,
  StoreFilter,
  StoreQuery,
  TechnologyClause,
  ValueFilter,
} from '../query.ts';
import type { Sort } from './values.ts';
import type { SearchVocabulary, ValueKind } from './vocabulary.ts';
import type { Group, DroppedClause as SentDropped, TechnologyClause as SentTechnology, Where } from './where.ts';

interface Sent {
  where: Where;
  sort: Sort;
  /** The names of lists in the request by their paths in `where`. By default the paths. Only the flat form has other names. */
  names?: ReadonlyMap<string, string>;
}

const defaultStatus: ValueFilter = { any: ['active_storefront'] };

/**
 * Returns the normalized query. Throws `invalid_request` with its path and near values for a value that does not exist. Clauses are sorted and
 * have no repetitions, so the order in a request does not distinguish queries.
 */
export function storeQueryOf({ where, sort, names }: Sent, vocabulary: SearchVocabulary): StoreQuery {
  const read = readerOf(vocabulary, names ?? new Map());
  const { products, last_completed_scan: lastScan, moved } = where;
  const filter: StoreFilter = {
    ...present('platform', where.platform && read.filter('platform', where.platform, 'where.platform')),
    ...present('country', where.country && read.filter('country', where.country, 'where.country')),
    ...present('industry', where.industry && read.filter('industry', where.industry, 'where.industry')),
    status: where.status ? read.filter('status', where.status, 'where.status') : defaultStatus,
    technologies: distinct(
      (where.technologies ?? []).map((each, at) => read.technologies(each, `where.technologies[${at}]`)),
    ),
    dropped: distinct((where.dropped ?? []).map((each, at) => read.dropped(each, `where.dropped[${at}]`))),
    ...present('moved', moved && read.moved(moved)),
    ...present('products', products && defined(products)),
    ...present('last_completed_scan', lastScan && defined(lastScan)),
    ...present('list', where.list && sortedFilter(where.list)),
  };
  return { where: filter, sort };
}

function readerOf(vocabulary: SearchVocabulary, names: ReadonlyMap<string, string>) {
  const listOf = (kind: ValueKind, values: readonly string[], path: string) =>
    vocabulary.listOf(kind, values, (at) => `${names.get(path) ?? path}[${at}]`);
  const oneOrMore = (kind: 'category' | 'kind', values: string | readonly string[], path: string) =>
    typeof values === 'string' ? vocabulary.listOf(kind, [values], () => path) : listOf(kind, values, path);

  const selected = (sent: readonly string[] | Group, path: string): Selected => {
    if (isList(sent)) return { by: 'slug', values: listOf('technology', sent, path) };
    const by = sent.category === undefined ? 'kind' : 'category';
    return { by, values: oneOrMore(by, sent[by] ?? [], `${path}.${by}`) };
  };
  const clause = ({ all, any, none }: Pick<SentTechnology, Quantifier>, path: string) => {
    if (all) return { quantifier: 'all' as const, selected: selected(all, `${path}.all`) };
    if (any) return { quantifier: 'any' as const, selected: selected(any, `${path}.any`) };
    return { quantifier: 'none' as const, selected: selected(none ?? [], `${path}.none`) };
  };

  return {
    filter: (kind: ValueKind, { any, none }: SentFilter, path: string): ValueFilter => ({
      ...present('any', any && listOf(kind, any, `${path}.any`)),
      ...present('none', none && listOf(kind, none, `${path}.none`)),
    }),
    technologies: (sent: SentTechnology, path: string): TechnologyClause => ({
      ...clause(sent, path),
      ...present('install_state', sent.install_state && sorted(sent.install_state)),
      ...present('confidence_min', sent.confidence_min),
      ...present('first_observed', sent.first_observed && defined(sent.first_observed)),
      includes_first_scan: sent.since_known === false,
    }),
    dropped: (sent: SentDropped, path: string): DroppedClause => ({
      ...clause(sent, path),
      ...present('effective', sent.effective && defined(sent.effective)),
    }),
    moved: (sent: NonNullable<Where['moved']>): MovedFilter => ({
      ...present(
        'from_platform',
        sent.from_platform && listOf('platform', sent.from_platform, 'where.moved.from_platform'),
      ),
      ...present('to_platform', sent.to_platform && listOf('platform', sent.to_platform, 'where.moved.to_platform')),
      ...present('effective', sent.effective && defined(sent.effective)),
    }),
  };
}

interface SentFilter {
  any?: readonly string[] | undefined;
  none?: readonly string[] | undefined;
}

const isList = (sent: readonly string[] | Group): sent is readonly string[] => Array.isArray(sent);

const sorted = (values: readonly string[]): string[] => [...new Set(values)].sort();

const sortedFilter = ({ any, none }: SentFilter): ValueFilter => ({
  ...present('any', any && sorted(any)),
  ...present('none', none && sorted(none)),
});

function distinct<Each>(clauses: readonly Each[]): Each[] {
  const byText = new Map(clauses.map((each) => [canonicalJson(each), each]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as Each);
}

/** Returns an object with the member, or without it if the value is undefined. */
function present<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]: Value });
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

const defined = <Members extends object>(members: Members): Defined<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
