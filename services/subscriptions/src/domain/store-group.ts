import type { Environment, Handles } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { IdPrefix } from '@shopscope/ids';
import { parseText } from '@shopscope/text';

/** A named group of stores of a workspace: a list or a watchlist. */
export interface StoreGroup {
  id: string;
  workspaceId: string;
  name: string;
  storeCount: number;
  createdAt: Date;
  /** The latest change of the group or of its stores. */
  updatedAt: Date;
}

/** A group of one workspace. `environment` keeps the ids of another environment away. */
export interface GroupRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

/** Parses the name of a group. Web addresses are accepted, because groups are often named after a site. */
export const parseName = (name: string): string =>
  parseText('name', name, { noun: 'name', maxLength: 200, mayHaveAddresses: true });

/** Whether a resource can have this id. */
export function isId(value: string, prefix: IdPrefix): boolean {
  const suffix = value.startsWith(`${prefix}_`) ? value.slice(prefix.length + 1) : '';
  return suffix.length <= maxIdSuffixLength && /^[0-9a-z]+$/.test(suffix);
}

/** Parses an id with this prefix. Whether it exists is checked where it is looked up (`not_found`). */
export function parseId(field: string, value: string, prefix: IdPrefix): string {
  if (!isId(value, prefix)) throw invalidField(field, `must be an id that begins with ${prefix}_`);
  return value;
}

/** This is longer than the suffix of any id of this system. */
const maxIdSuffixLength = 60;
