import { invalidField } from '@shopscope/errors';
import { passwordLength } from './password.ts';

/** A name of a person or workspace: 1 to `max` characters without control characters, trimmed. */
export function givenName(field: string, value: string, max = 100): string {
  const text = value.trim();
  if (text === '') throw invalidField(field, 'Enter a name.');
  if (text.length > max || /\p{Cc}/u.test(text)) {
    throw invalidField(field, `The name can have at most ${max} characters, in one line.`);
  }
  return text;
}

/** An e-mail address in lower case. The mail server decides whether it exists. */
export function givenEmail(field: string, value: string): string {
  const text = value.trim().toLowerCase();
  if (text === '') throw invalidField(field, 'Enter an e-mail address.');
  if (text.length > 254 || !/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/.test(text)) {
    throw invalidField(field, 'This is not an e-mail address. Example: name@example.com');
  }
  return text;
}

/** A password that a person chooses. */
export function givenPassword(field: string, value: string): string {
  const { min, max } = passwordLength;
  if (value.length < min) throw invalidField(field, `The password needs at least ${min} characters.`);
  if (value.length > max) throw invalidField(field, `The password can have at most ${max} characters.`);
  return value;
}
