import { AppError } from '@shopscope/errors';

/**
 * The texts of 401.
 *
 * - The first four are decided from the request alone: its headers and the checksum inside the key. The checksum's algorithm
 *   is public, so these texts tell nobody anything about which keys exist.
 * - `notActive` is one text for every key that keys refuses. A caller cannot learn whether such a key ever existed.
 * - No text repeats what was sent: it may be a credential.
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
