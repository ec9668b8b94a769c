import { invalidField } from '@shopscope/errors';
import type { IdPrefix } from '@shopscope/ids';

/** Longer than any id of this system. */
const idSuffixLengthMax = 60;

/** Accepts a name of 1 to `max` characters without control characters, and trims it. */
export function givenName(field: string, value: string, max: number): string {
  const text = value.trim();
  if (text.length === 0 || text.length > max || /\p{Cc}/u.test(text)) {
    throw invalidField(field, `must have 1 to ${max} characters and no control characters`);
  }
  return text;
}

/** The actor of a change, for the audit log. */
export const givenActor = (actor: string): string => givenName('actor', actor, 200);

/** Accepts a well-formed id of this kind. An id that does not exist is refused where it is looked up, with `not_found`. */
export function givenId(field: string, value: string, prefix: IdPrefix): string {
  const suffix = value.startsWith(`${prefix}_`) ? value.slice(prefix.length + 1) : '';
  if (suffix.length > idSuffixLengthMax || !/^[0-9a-z]+$/.test(suffix)) {
    throw invalidField(field, `must be an id that begins with ${prefix}_`);
  }
  return value;
}
