/**
 * The query of the page Find stores. It is in the URL of the page, so that it can be kept and sent to others. Whether its values exist is
 * decided by the language of searches alone.
 *
 * - `country=DE, AT`, `country_is=none`: a member of the store and its values.
 * - `c1_has=any`, `c1=klaviyo, omnisend`, `c1_by=category`, `c1_state`, `c1_min`, `c1_from`, `c1_to`, `c1_first`: a clause about
 *   technologies.
 */

/** The members of a store that have one of, or none of, some values. */
export const valueFields = ['platform', 'country', 'industry', 'list'] as const;
export type ValueField = (typeof valueFields)[number];

/** The API allows as many. */
export const maxClauses = 8;

export const clauseParts = ['has', 'by', 'state', 'min', 'from', 'to', 'first'] as const;
export type ClausePart = (typeof clauseParts)[number];
const parts = clauseParts.join('|');
const clauseName = new RegExp(`^c([1-8])(?:_(?:${parts}))?$`);
const partName = new RegExp(`^(c[1-8]|${valueFields.join('|')})_(?:is|${parts})$`);
const otherNames = [
  'status',
  'products_min',
  'products_max',
  'scanned_from',
  'moved_from',
  'moved_to',
  'moved_since',
  'moved_until',
  'sort',
];
const names = new Set([...valueFields, ...valueFields.map((name) => `${name}_is`), ...otherNames]);

/** Whether the query has a member of this name. */
export const isMember = (name: string): boolean => names.has(name);

/** A value is at most this long. The API's longest query is shorter. */
const maxLength = 2_000;

/** The parameters of the query by name. None of them is empty. */
export type StoreFilter = Readonly<Record<string, string>>;

/** Reads the query from a URL. Other parameters and empty ones are left out. The values of a repeated name become one text. */
export function filterOf(search: URLSearchParams): StoreFilter {
  const own = [...new Set(search.keys())].filter((name) => isMember(name) || clauseName.test(name));
  const given = own.map((name) => [name, search.getAll(name).join(' ').trim().slice(0, maxLength)] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
  // A choice without values says nothing.
  const isAlone = (name: string) => {
    const [, subject] = partName.exec(name) ?? [];
    return subject !== undefined && filled[subject] === undefined;
  };
  return Object.fromEntries(Object.entries(filled).filter(([name]) => !isAlone(name)));
}

/** How many clauses the form shows: those with values, and those that were added. */
export function clausesShown(filter: StoreFilter, wanted: string | null): number {
  const used = Object.keys(filter).map((name) => Number(clauseName.exec(name)?.[1] ?? 0));
  const added = /^[1-8]$/.test(wanted ?? '') ? Number(wanted) : 1;
  return Math.min(maxClauses, Math.max(added, ...used));
}

export const valuesOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,;]+/).filter(Boolean);

/** The numbers of the clauses in their order in `technologies` and in `dropped`. */
export function clauseNumbers(filter: StoreFilter, isDropped: boolean): number[] {
  const all = Array.from({ length: maxClauses }, (_, n) => n + 1).filter((n) => filter[`c${n}`] !== undefined);
  return all.filter((n) => (filter[`c${n}_has`] === 'dropped') === isDropped);
}

/** Whether the query reads confirmed changes, which bills a history query. */
export const asksForChanges = (filter: StoreFilter): boolean =>
  clauseNumbers(filter, true).length > 0 || Object.keys(filter).some((name) => name.startsWith('moved_'));

/** Why the query is counted only when a person asks for it: counting changes bills, and only the API reads the lists of the workspace. */
export function reasonToAsk(filter: StoreFilter): 'changes' | 'list' | undefined {
  if (asksForChanges(filter)) return 'changes';
  return filter.list === undefined ? undefined : 'list';
}
