/**
 * The query of the page Find stores. It is in the URL of the page, so that it can be kept and sent to others. Whether its values exist is
 * decided by the API alone.
 *
 * - `country=DE, AT`, `country_is=none`: a member of the store and its values.
 * - `c1_has=any`, `c1=klaviyo, omnisend`, `c1_by=category`, `c1_state`, `c1_min`, `c1_from`, `c1_to`: a clause about technologies.
 */

/** The members of a store that have one of, or none of, some values. */
export const valueFields = ['platform', 'country', 'industry', 'list'] as const;
export type ValueField = (typeof valueFields)[number];

/** The API allows as many. */
export const maxClauses = 8;

export const clauseParts = ['has', 'by', 'state', 'min', 'from', 'to'] as const;
const clauseName = /^c([1-8])(?:_(?:has|by|state|min|from|to))?$/;
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

/** A value is at most this long. The API's longest query is shorter. */
const maxLength = 2_000;

/** The parameters of the query by name. None of them is empty. */
export type StoreFilter = Readonly<Record<string, string>>;

/** Reads the query from a URL. Other parameters and empty ones are left out. */
export function filterOf(search: URLSearchParams): StoreFilter {
  const own = [...search].filter(([name]) => names.has(name) || clauseName.test(name));
  const given = own.map(([name, value]) => [name, value.trim().slice(0, maxLength)] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
  // A choice without values says nothing.
  const isAlone = (name: string) => /_(?:is|has|by|state|min|from|to)$/.test(name) && isOfNothing(name, filled);
  return Object.fromEntries(Object.entries(filled).filter(([name]) => !isAlone(name)));
}

function isOfNothing(name: string, filled: StoreFilter): boolean {
  const [, subject = ''] = /^(c[1-8]|platform|country|industry|list)_/.exec(name) ?? [];
  return subject !== '' && filled[subject] === undefined;
}

/** How many clauses the form shows: those with values, and those that were added. */
export function clausesShown(filter: StoreFilter, wanted: string | null): number {
  const used = Object.keys(filter).map((name) => Number(clauseName.exec(name)?.[1] ?? 0));
  const added = /^[1-8]$/.test(wanted ?? '') ? Number(wanted) : 1;
  return Math.min(maxClauses, Math.max(added, ...used));
}

const listOf = (text: string | undefined) => (text ?? '').split(/[\s,;]+/).filter(Boolean);

/** A date of a form as the API takes times. Any other text stays, and the API names its fault. */
const timeOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;

const numberOf = (text: string | undefined) => (text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text);

/** The members that are not undefined; undefined if there is none. */
function filled(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The numbers of the clauses in their order in `technologies` and in `dropped`. */
function clauseNumbers(filter: StoreFilter, isDropped: boolean): number[] {
  const all = Array.from({ length: maxClauses }, (_, n) => n + 1).filter((n) => filter[`c${n}`] !== undefined);
  return all.filter((n) => (filter[`c${n}_has`] === 'dropped') === isDropped);
}

/** Returns the `where` of the API. */
export function whereOf(filter: StoreFilter): Record<string, unknown> {
  const values = (name: ValueField) => {
    const list = listOf(filter[name]);
    return list.length === 0 ? undefined : { [filter[`${name}_is`] === 'none' ? 'none' : 'any']: list };
  };
  const clauses = (isDropped: boolean) => {
    const made = clauseNumbers(filter, isDropped).map((n) => clauseOf(filter, `c${n}`));
    return made.length === 0 ? undefined : made;
  };
  const status = listOf(filter.status);
  const platforms = (text: string | undefined) => (text === undefined ? undefined : listOf(text));
  return (
    filled({
      platform: values('platform'),
      country: values('country'),
      industry: values('industry'),
      status: status.length === 0 ? undefined : { any: status },
      technologies: clauses(false),
      dropped: clauses(true),
      moved: filled({
        from_platform: platforms(filter.moved_from),
        to_platform: platforms(filter.moved_to),
        effective: filled({ from: timeOf(filter.moved_since), to: timeOf(filter.moved_until) }),
      }),
      products: filled({ min: numberOf(filter.products_min), max: numberOf(filter.products_max) }),
      last_completed_scan: filled({ from: timeOf(filter.scanned_from) }),
      list: values('list'),
    }) ?? {}
  );
}

function clauseOf(filter: StoreFilter, name: string): Record<string, unknown> {
  const part = (of: string) => filter[`${name}_${of}`];
  const list = listOf(filter[name]);
  const has = part('has') ?? 'any';
  const quantifier = has === 'dropped' ? 'any' : has;
  const chosen = { [quantifier]: part('by') === 'category' ? { category: list } : list };
  const days = filled({ from: timeOf(part('from')), to: timeOf(part('to')) });
  if (has === 'dropped') return { ...chosen, ...filled({ effective: days }) };
  if (has === 'none') return chosen;
  const state = part('state');
  const conditions = { install_state: state && [state], confidence_min: part('min'), first_observed: days };
  return { ...chosen, ...filled(conditions) };
}

/** Whether the query reads confirmed changes, which bills a history query. */
export const asksForChanges = (filter: StoreFilter): boolean =>
  clauseNumbers(filter, true).length > 0 || Object.keys(filter).some((name) => name.startsWith('moved_'));

const renamed: Readonly<Record<string, string>> = {
  'moved.from_platform': 'moved_from',
  'moved.to_platform': 'moved_to',
  'moved.effective': 'moved_since',
  'moved.effective.from': 'moved_since',
  'moved.effective.to': 'moved_until',
  'products.min': 'products_min',
  'products.max': 'products_max',
  products: 'products_min',
  'last_completed_scan.from': 'scanned_from',
};

/** The field of the form for a path of the API, such as `where.technologies[0].any[1]`; undefined if it has none. */
export function fieldOf(filter: StoreFilter, path: string): string | undefined {
  const [, member = ''] = /^where\.(.*)$/.exec(path) ?? [];
  const [, list = '', index = '', more = ''] = /^(technologies|dropped)\[(\d+)\]\.?(.*)$/.exec(member) ?? [];
  if (list !== '') {
    const n = clauseNumbers(filter, list === 'dropped')[Number(index)];
    if (n === undefined) return undefined;
    const [, end = ''] = /^(?:first_observed|effective)\.(from|to)$/.exec(more) ?? [];
    return end === '' ? `c${n}` : `c${n}_${end}`;
  }
  const [first = ''] = member.split(/[.[]/);
  const plain = member.replaceAll(/\[\d+\]/g, '');
  return renamed[plain] ?? (names.has(first) ? first : undefined);
}
