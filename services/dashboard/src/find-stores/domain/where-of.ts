import { clauseNumbers, type StoreFilter, type ValueField, valuesOf } from './store-filter.ts';

/** A date of a form as the API takes times. Any other text stays, and the API names its fault. */
export const timeOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;

const numberOf = (text: string | undefined) => (text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text);

/** The members that are not undefined; undefined if there is none. */
function filled(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Returns the `where` of the API. Its values are as they were typed. */
export function whereOf(filter: StoreFilter): Record<string, unknown> {
  const values = (name: ValueField) => {
    const list = valuesOf(filter[name]);
    return list.length === 0 ? undefined : { [filter[`${name}_is`] === 'none' ? 'none' : 'any']: list };
  };
  const clauses = (isDropped: boolean) => {
    const made = clauseNumbers(filter, isDropped).map((n) => clauseOf(filter, `c${n}`));
    return made.length === 0 ? undefined : made;
  };
  const status = valuesOf(filter.status);
  const platforms = (text: string | undefined) => (text === undefined ? undefined : valuesOf(text));
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
  const list = valuesOf(filter[name]);
  const has = part('has') ?? 'any';
  const by = part('by');
  const chosen = { [has === 'dropped' ? 'any' : has]: by === undefined ? list : { [by]: list } };
  const days = filled({ from: timeOf(part('from')), to: timeOf(part('to')) });
  if (has === 'dropped') return { ...chosen, ...filled({ effective: days }) };
  if (has === 'none') return chosen;
  const state = part('state');
  const conditions = {
    install_state: state && [state],
    confidence_min: part('min'),
    first_observed: days,
    // Only a time of first observation needs to know it.
    since_known: days && part('first') === 'included' ? false : undefined,
  };
  return { ...chosen, ...filled(conditions) };
}
