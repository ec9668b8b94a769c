import { isIP } from 'node:net';
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

/** The longest text of an IP address: an IPv6 address that ends with an IPv4 address. */
const addressLengthMax = 45;

/** The IP address of a person, or an empty text when the caller does not know it. */
export function givenAddress(field: string, value: string): string {
  if (value === '' || (value.length <= addressLengthMax && isIP(value) !== 0)) return value;
  throw invalidField(field, 'must be an IP address');
}

/** Accepts a text of at most `max` characters without control characters, and trims it. It may be empty. */
export function givenText(field: string, value: string, max: number): string {
  const text = value.trim();
  if (text.length > max || /\p{Cc}/u.test(text)) {
    throw invalidField(field, `must have at most ${max} characters and no control characters`);
  }
  return text;
}

/** Accepts a well-formed id of this kind. An id that does not exist is refused where it is looked up, with `not_found`. */
export function givenId(field: string, value: string, prefix: IdPrefix): string {
  const suffix = value.startsWith(`${prefix}_`) ? value.slice(prefix.length + 1) : '';
  if (suffix.length > idSuffixLengthMax || !/^[0-9a-z]+$/.test(suffix)) {
    throw invalidField(field, `must be an id that begins with ${prefix}_`);
  }
  return value;
}
