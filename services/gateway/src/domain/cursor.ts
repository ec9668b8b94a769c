import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '@shopscope/errors';
import { quoted } from './shown.ts';

/**
 * Opaque page cursors: a position, signed together with the query that it came from. The query itself does not travel:
 * presented with another query, a cursor's signature does not fit. The page size may change between pages.
 */
export interface CursorSigner {
  /** `query` lists the parameters that the position depends on. */
  sign(query: readonly string[], position: string): string;
  /** The position; throws invalid_request naming `cursor` when the cursor is tampered with or of another query. */
  open(query: readonly string[], cursor: string): string;
}

const macBytes = 16;

export function createCursorSigner(secret: string): CursorSigner {
  const macOf = (query: readonly string[], position: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([...query, position]))
      .digest()
      .subarray(0, macBytes);
  const refused = (cursor: string) =>
    invalidField('cursor', `must be the next_cursor of a page of this query, not ${quoted(cursor)}`);

  return {
    sign: (query, position) =>
      `${Buffer.from(position).toString('base64url')}.${macOf(query, position).toString('base64url')}`,
    open(query, cursor) {
      const [encoded = '', signature = '', ...rest] = cursor.split('.');
      const position = Buffer.from(encoded, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      // Base64 has several spellings of one value; only the one that was issued is taken.
      const exact = cursor === `${Buffer.from(position).toString('base64url')}.${given.toString('base64url')}`;
      if (rest.length > 0 || !exact || given.length !== macBytes) throw refused(cursor);
      if (!timingSafeEqual(given, macOf(query, position))) throw refused(cursor);
      return position;
    },
  };
}
