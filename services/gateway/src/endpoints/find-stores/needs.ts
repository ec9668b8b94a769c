import { contractUnitsOf } from '@shopscope/charging';
import { invalidField } from '@shopscope/errors';
import { type StoreQuery, scopesOf, scopesOfFlat, unitsOfPage } from '@shopscope/store-search';
import type { ScopeNeed } from '../../contract/operation.ts';
import { searchUnits } from './contract.ts';

/** The scopes that the members of a query need beside read:stores. They are not validated yet. */

export function bodyNeeds({ where }: Readonly<Record<string, unknown>>): ScopeNeed[] {
  if (typeof where !== 'object' || where === null) return [];
  return Object.keys(where).flatMap((name) => needsOf(scopesOf({ [name]: true }), `where.${name}`));
}

export const flatNeeds = (query: URLSearchParams): ScopeNeed[] =>
  [...query.keys()].flatMap((name) => needsOf(scopesOfFlat([name]), name));

const needsOf = (scopes: ReturnType<typeof scopesOf>, reason: string): ScopeNeed[] =>
  scopes.filter((scope) => scope !== 'read:stores').map((scope) => ({ scope, reason }));

/**
 * Throws `invalid_request` if a whole page may bill more. This is decided before anything is looked at: a refusal that depends on the rows
 * would count them for free.
 */
export function requireMaxUnits(
  query: StoreQuery,
  limit: number,
  maxUnits: { lookup_cached?: number | undefined; history_query?: number | undefined } = {},
): void {
  const units = contractUnitsOf(unitsOfPage(query, limit));
  for (const unit of searchUnits) {
    const max = maxUnits[unit];
    if (max === undefined || max >= units[unit]) continue;
    throw invalidField(
      `max_units.${unit}`,
      `must be at least ${units[unit]}, which a page of ${limit} rows may bill, not ${max}`,
    );
  }
}
