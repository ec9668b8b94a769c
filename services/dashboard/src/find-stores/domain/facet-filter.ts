import { maxClauses, type StoreFilter } from './store-filter.ts';

/**
 * Returns the search of the page with a value of a facet added to the query; undefined if the query has it, or cannot take it. A store has one
 * country, so the value replaces the countries of the query. A technology becomes a clause of its own.
 */
export function withFacetValue(filter: StoreFilter, field: string, value: string): string | undefined {
  if (field === 'technology') return withTechnology(filter, value);
  if (filter[field] === value && filter[`${field}_is`] === undefined) return undefined;
  const { [`${field}_is`]: _, ...rest } = filter;
  return `?${new URLSearchParams({ ...rest, [field]: value })}`;
}

function withTechnology(filter: StoreFilter, slug: string): string | undefined {
  const names = Array.from({ length: maxClauses }, (_, n) => `c${n + 1}`);
  if (names.some((name) => filter[name] === slug)) return undefined;
  const free = names.find((name) => filter[name] === undefined);
  return free && `?${new URLSearchParams({ ...filter, [free]: slug })}`;
}
