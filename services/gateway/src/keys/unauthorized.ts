import { AppError } from '@shopscope/errors';

/**
 * The messages of the status 401.
 *
 * - The first four messages depend only on the request: its headers and the checksum in the key. The checksum's algorithm is
 *   public, so these messages do not reveal which keys exist.
 * - `notActive` is the only message for keys that the keys service refuses. It does not reveal whether such a key ever existed.
 * - No message repeats the input, because the input may be a credential. One message names a character that no key has.
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

/** The 401 for a token that is not a key. It names the first wrong character: quotes and byte order marks come from files and shells. */
export function malformedToken(token: string): AppError {
  // Node reads headers as Latin-1. Clients send UTF-8.
  const text = Buffer.from(token, 'latin1').toString('utf8');
  const character = /[^A-Za-z0-9_-]/u.exec(text)?.[0];
  if (character === undefined) return unauthorized('malformed');
  const point = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return new AppError(
    'unauthorized',
    `The bearer token has the character U+${point}, which no API key has; send the key alone, without quotes, blanks and a byte order mark.`,
  );
}
