import { type Scope, type Units, unitsOf } from '@shopscope/proto';
import { asksForChanges, type StoreQuery } from '../query.ts';

/** What a key needs and what it pays. */

/** Returns the scopes of a request that has these members of `where`. They need not be validated yet. */
export function scopesOf(where: Readonly<Record<string, unknown>>): Scope[] {
  const has = (name: string) => where[name] !== undefined;
  return [
    'read:stores',
    ...(has('dropped') || has('moved') ? (['read:signals'] as const) : []),
    ...(has('list') ? (['read:watchlists'] as const) : []),
  ];
}

/** Returns the scopes of a flat request with these parameters. */
export function scopesOfFlat(names: Iterable<string>): Scope[] {
  const members = [...names].map((name) => /^(dropped|moved|list)_/.exec(name)?.[1] ?? name);
  return scopesOf(Object.fromEntries(members.map((name) => [name, true])));
}

/** Returns the units of a page with this many rows. */
export const unitsOfPage = (query: StoreQuery, rows: number): Units =>
  unitsOf({ lookupCached: rows, historyQuery: rows > 0 && asksForChanges(query) ? 1 : 0 });

/** Returns the units of a count. */
export const unitsOfCount = (query: StoreQuery): Units => unitsOf({ historyQuery: asksForChanges(query) ? 1 : 0 });

/** Returns the units of all rows, in pages of this many rows. */
export const unitsOfWalk = (query: StoreQuery, rows: number, rowsPerPage: number): Units =>
  unitsOf({ lookupCached: rows, historyQuery: asksForChanges(query) ? Math.ceil(rows / rowsPerPage) : 0 });
