import { invalidField } from '@shopscope/errors';
import { passwordLength } from './password-length.ts';

const personNameMax = 100;

/** A name of a person: 1 to `max` characters without control characters, trimmed. */
export function givenName(field: string, value: string, max = personNameMax): string {
  const text = value.trim();
  if (text === '') throw invalidField(field, 'Enter a name.');
  if (text.length > max || /\p{Cc}/u.test(text)) {
    throw invalidField(field, `The name can have at most ${max} characters, in one line.`);
  }
  return text;
}

const singleSpaced = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** Whether a person typed this name. A page shows a row of spaces as one. */
export const isTypedName = (typed: string, name: string): boolean => singleSpaced(typed) === singleSpaced(name);

/** A valid name of a person from a name that nobody checked. An empty one becomes the address without its domain. */
export function personName(unchecked: string, email: string): string {
  return (singleSpaced(unchecked) || singleSpaced(email.split('@')[0] ?? '')).slice(0, personNameMax).trim();
}

/** A name of a workspace, with the bound of the keys service. */
export const givenWorkspaceName = (field: string, value: string): string => givenName(field, value, 200);

/** The audit log's bound of a subject, which can be an address. */
const emailLengthMax = 200;

/** An e-mail address in lower case. The mail server decides whether it exists. */
export function givenEmail(field: string, value: string): string {
  const text = value.trim().toLowerCase();
  if (text === '') throw invalidField(field, 'Enter an e-mail address.');
  if (text.length > emailLengthMax)
    throw invalidField(field, `The address can have at most ${emailLengthMax} characters.`);
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/.test(text)) {
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
