import { isIP } from 'node:net';
import { invalidField } from '@shopscope/errors';
import { cleaned, parseText } from '@shopscope/text';

/** Parses the name of a workspace. Mails show it, so it must not contain addresses. */
export const parseWorkspaceName = (name: string): string => parseText('name', name, { noun: 'name', maxLength: 200 });

export const parseLabel = (label: string): string =>
  parseText('label', label, { noun: 'label', maxLength: 100, mayHaveAddresses: true });

/** Parses the actor of a change, for the audit log: an id or the name of an operator. */
export const parseActor = (actor: string): string =>
  parseText('actor', actor, { noun: 'name', maxLength: 200, mayHaveAddresses: true });

/** The name and e-mail address of a person at the time of a change. */
export interface Person {
  name: string;
  email: string;
}

const maxPersonName = 100;
const maxEmail = 254;

/** Cleans both texts and never throws, because the caller checked them when the person chose them. */
export const recordedPerson = (person: Person | undefined): Person => ({
  name: cleaned(person?.name ?? '', maxPersonName),
  email: cleaned(person?.email ?? '', maxEmail),
});

/** The longest text of an IP address: an IPv6 address that ends with an IPv4 address. */
const maxAddressLength = 45;

/** Parses the IP address of a person. The text is empty if the caller does not know the address. */
export function parseAddress(field: string, value: string): string {
  if (value === '' || (value.length <= maxAddressLength && isIP(value) !== 0)) return value;
  throw invalidField(field, 'must be an IP address');
}
