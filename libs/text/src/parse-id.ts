import { invalidField } from '@shopscope/errors';
import type { IdPrefix } from '@shopscope/ids';

/** This is longer than the suffix of any id of this system. */
const maxIdSuffixLength = 60;

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
