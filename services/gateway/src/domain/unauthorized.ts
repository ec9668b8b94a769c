import { AppError } from '@shopscope/errors';

/**
 * The messages of 401.
 *
 * - The first four depend only on the request: its headers and the checksum in the key. The checksum's algorithm is
 *   public, so these messages do not reveal which keys exist.
 * - `notActive` is the one message for every key that keys refuses. It does not reveal whether such a key ever existed.
 * - No message repeats the input, because the input may be a credential.
 */
export const unauthorizedMessages = {
  noHeader: 'No Authorization header came; send Authorization: Bearer <API_KEY>',
  severalHeaders: 'More than one Authorization header came; send one: Authorization: Bearer <API_KEY>',
  notBearer: 'The Authorization header must have the scheme Bearer; send Authorization: Bearer <API_KEY>',
  malformed:
    'The bearer token is not an API key: it was mistyped, cut or extended, or its checksum is wrong. A key is its tag and 40 letters and digits.',
  notActive: 'The API key is unknown, revoked or expired.',
} as const;

export const unauthorized = (reason: keyof typeof unauthorizedMessages) =>
  new AppError('unauthorized', unauthorizedMessages[reason]);
