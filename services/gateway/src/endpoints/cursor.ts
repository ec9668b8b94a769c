import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '@shopscope/errors';
import { quoted } from '@shopscope/text';

/**
 * Opaque page cursors. A cursor is a position and an HMAC of the position and its query. It does not contain the query.
 *
 * - A cursor is used with another query -> the HMAC does not match, and the cursor is refused.
 * - The page size is not part of the query: it may change between pages.
 */
export type CursorSigner = ReturnType<typeof createCursorSigner>;

const macBytes = 16;

/** How a refusal names a cursor. */
interface CursorNames {
  parameter: string;
  /** The pages that have such a cursor. */
  pages: string;
}
const ofQuery: CursorNames = { parameter: 'cursor', pages: 'a page of this query' };

export function createCursorSigner(secret: string) {
  const macOf = (query: readonly string[], position: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([...query, position]))
      .digest()
      .subarray(0, macBytes);
  const refused = (cursor: string, { parameter, pages }: CursorNames) =>
    invalidField(parameter, `must be the next_cursor of ${pages}, not ${quoted(cursor)}`);

  return {
    /** `query` lists the parameters that the position depends on. */
    sign: (query: readonly string[], position: string): string =>
      `${Buffer.from(position).toString('base64url')}.${macOf(query, position).toString('base64url')}`,
    /** Returns the position. Throws invalid_request if the cursor was changed or belongs to another query. */
    verify(query: readonly string[], cursor: string, names = ofQuery): string {
      const [encoded = '', signature = '', ...rest] = cursor.split('.');
      const position = Buffer.from(encoded, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      // One value has several base64 encodings. Only the issued encoding is accepted.
      const exact = cursor === `${Buffer.from(position).toString('base64url')}.${given.toString('base64url')}`;
      if (rest.length > 0 || !exact || given.length !== macBytes) throw refused(cursor, names);
      if (!timingSafeEqual(given, macOf(query, position))) throw refused(cursor, names);
      return position;
    },
  };
}
