import { invalidField } from '@shopscope/errors';

/** A name that people give: trimmed, 1 to `max` characters, no control characters. */
export function givenName(field: string, value: string, max: number): string {
  const text = value.trim();
  if (text.length === 0 || text.length > max || /\p{Cc}/u.test(text)) {
    throw invalidField(field, `must have 1 to ${max} characters and no control characters`);
  }
  return text;
}
