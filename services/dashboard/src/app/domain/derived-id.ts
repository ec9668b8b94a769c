import { hash } from 'node:crypto';

const length = 22;
const pattern = /^[\w-]{22}$/;

/** Returns an id of 132 bits of a hash. JSON separates the parts, so that different parts never give the same input. */
export const derivedId = (...parts: unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, length);

/** Whether a text has the form of such an id. */
export const isDerivedId = (text: string): boolean => pattern.test(text);
