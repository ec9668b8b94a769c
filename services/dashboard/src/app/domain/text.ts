import { invalidField } from '@shopscope/errors';
import { cleaned, parseText } from '@shopscope/text';
import { passwordLength } from './password-length.ts';

const maxPersonName = 100;
const maxName = 200;

export const parseName = (field: string, value: string): string =>
  parseText(field, value, { noun: 'name', maxLength: maxPersonName });

/** Whether a person typed this name or copied it from a page. A copy may include direction marks. */
export const isTypedName = (typed: string, name: string): boolean => cleaned(typed, maxName) === cleaned(name, maxName);

/**
 * A valid name of a person, from an unchecked name. An empty name becomes the address without its domain. So does a name that contains an
 * address, because many issuers send the address if they know no name.
 */
export function personName(unchecked: string, email: string): string {
  const name = cleaned(unchecked, maxPersonName);
  return (isGivenName(name) ? name : '') || cleaned(email.split('@')[0] ?? '', maxPersonName) || 'Unnamed';
}

function isGivenName(name: string): boolean {
  try {
    return parseName('name', name) === name;
  } catch {
    return false;
  }
}

/** Parses the name of a workspace, with the length limit of the keys service. */
export const parseWorkspaceName = (field: string, value: string): string =>
  parseText(field, value, { noun: 'name', maxLength: maxName });

/** Parses the label of a key, with the length limit of the keys service. */
export const parseLabel = (field: string, value: string): string =>
  parseText(field, value, { noun: 'label', maxLength: 100, mayHaveAddresses: true });

/** Parses the name of a list or a watchlist, with the length limit of the API. */
export const parseTitle = (field: string, value: string): string =>
  parseText(field, value, { noun: 'name', maxLength: maxName, mayHaveAddresses: true });

/** Parses the name of an operator, for the audit log. */
export const parseOperator = (field: string, value: string): string =>
  parseText(field, value, { noun: 'name', maxLength: maxName, mayHaveAddresses: true });

/** The audit log's length limit of a subject, which can be an address. */
const maxEmailLength = 200;

/** Parses an e-mail address and converts it to lower case. The mail server decides whether it exists. */
export function parseEmail(field: string, value: string): string {
  const text = value.trim().toLowerCase();
  if (text === '') throw invalidField(field, 'Enter an e-mail address.');
  if (text.length > maxEmailLength)
    throw invalidField(field, `The address can have at most ${maxEmailLength} characters.`);
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/.test(text)) {
    throw invalidField(field, 'This is not an e-mail address. Example: name@example.com');
  }
  return text;
}

export function parsePassword(field: string, value: string): string {
  const { min, max } = passwordLength;
  if (value.length < min) throw invalidField(field, `The password needs at least ${min} characters.`);
  if (value.length > max) throw invalidField(field, `The password can have at most ${max} characters.`);
  return value;
}

/** Throws `invalid_request` if the text is not a form token. Each form has its own token, so that a repeated form does nothing twice. */
export function requireFormToken(token: string): void {
  if (!/^[\w-]{16,64}$/.test(token)) throw invalidField('form', 'The form is incomplete. Reload the page.');
}
