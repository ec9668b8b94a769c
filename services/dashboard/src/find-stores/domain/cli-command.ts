import { shellWord } from '../../documentation/domain.ts';
import { rowsPerPage } from './rows-request.ts';
import { clauseNumbers, type StoreFilter, valueFields, valuesOf } from './store-filter.ts';
import { timeOf } from './where-of.ts';

type Options = Map<string, string>;

/** The options of clauses: the quantifier and what the clause names. Other clauses have no option. */
const clauseOptions: Readonly<Record<string, string>> = {
  'any technology': 'technology-any',
  'all technology': 'technology-all',
  'none technology': 'technology-none',
  'any category': 'category-any',
  'none category': 'category-none',
  'dropped technology': 'dropped-any',
};

/**
 * Returns the query as a command of the command line; undefined if its options cannot express the query. They have one clause of each kind,
 * and one set of conditions for all technologies that the store has.
 */
export function cliCommandOf(filter: StoreFilter): string | undefined {
  const options = withClauses(filter, withMembers(filter));
  if (!options) return undefined;
  const words = [...options].map(([name, value]) => `--${name} ${shellWord(value)}`);
  return ['shopscope find', ...words].join(' \\\n  ');
}

function withMembers(filter: StoreFilter): Options | undefined {
  if (filter.scanned_from !== undefined) return undefined;
  const options: Options = new Map();
  const set = (name: string, value: string | undefined) => value !== undefined && options.set(name, value);
  const list = (text: string | undefined) => valuesOf(text).join(',') || undefined;
  for (const name of valueFields) {
    const isNone = filter[`${name}_is`] === 'none';
    const flag = name === 'list' ? `list-${isNone ? 'none' : 'any'}` : `${name}${isNone ? '-none' : ''}`;
    set(flag, list(filter[name]));
  }
  set('status', list(filter.status));
  set('moved-from-platform', list(filter.moved_from));
  set('moved-to-platform', list(filter.moved_to));
  set('moved-from', timeOf(filter.moved_since));
  set('moved-to', timeOf(filter.moved_until));
  set('products-min', filter.products_min);
  set('products-max', filter.products_max);
  set('sort', filter.sort);
  return options.set('limit', String(rowsPerPage));
}

function withClauses(filter: StoreFilter, options: Options | undefined): Options | undefined {
  const conditions = new Set<string>();
  for (const n of [...clauseNumbers(filter, false), ...clauseNumbers(filter, true)]) {
    const has = filter[`c${n}_has`] ?? 'any';
    const name = clauseOptions[`${has} ${filter[`c${n}_by`] ?? 'technology'}`];
    if (name === undefined || options?.has(name)) return undefined;
    options?.set(name, valuesOf(filter[`c${n}`]).join(','));
    if (has === 'none') continue;
    const own = conditionsOf(filter, n, has);
    if (own.has('since-known')) return undefined;
    if (has !== 'dropped') conditions.add(JSON.stringify([...own]));
    if (conditions.size > 1) return undefined;
    for (const [option, value] of own) options?.set(option, value);
  }
  return options;
}

function conditionsOf(filter: StoreFilter, n: number, has: string): Options {
  const part = (of: string) => filter[`c${n}_${of}`];
  const days = { from: timeOf(part('from')), to: timeOf(part('to')) };
  const hasDays = days.from !== undefined || days.to !== undefined;
  const all =
    has === 'dropped'
      ? { 'dropped-from': days.from, 'dropped-to': days.to }
      : {
          'install-state': part('state'),
          'confidence-min': part('min'),
          'first-observed-from': days.from,
          'first-observed-to': days.to,
          'since-known': hasDays && part('first') === 'included' ? 'false' : undefined,
        };
  return new Map(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
