import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { listsEntityTag, matchesAny } from '../../http/entity-tag.ts';
import { jsonType, type Reply } from '../../http/reply/reply.ts';
import { acceptedEncoding } from './accepted-encoding.ts';

/** A smaller document fits into one packet in any encoding. */
const minCompressedBytes = 1_400;
const etagLength = 22;
const cacheControl = { 'Cache-Control': 'public, max-age=300' };

interface Variant {
  changed: Reply;
  unchanged: Reply;
}

/**
 * The reply with a document that does not change while the process runs. The document is encoded and compressed once. Each encoding has
 * an entity tag, which is the same on every instance. A matching If-None-Match causes 304.
 */
export type StaticDocument = (headers: IncomingHttpHeaders) => Reply;

export function staticDocument(document: unknown): StaticDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = hash('sha256', bytes, 'base64url').slice(0, etagLength);
  const isCompressed = bytes.length >= minCompressedBytes;
  const variantOf = (body: Buffer, encoding?: 'br' | 'gzip'): Variant => {
    const headers = {
      ETag: `"${digest}${encoding ? `-${encoding}` : ''}"`,
      ...cacheControl,
      ...(isCompressed && { Vary: 'Accept-Encoding' }),
    };
    const ofBody = { 'Content-Type': jsonType, ...(encoding && { 'Content-Encoding': encoding }) };
    return {
      changed: { status: 200, headers: { ...ofBody, ...headers }, body },
      unchanged: { status: 304, headers, body: undefined },
    };
  };
  const plain = variantOf(bytes);
  const compressed = isCompressed
    ? { br: variantOf(brotliOf(bytes), 'br'), gzip: variantOf(gzipSync(bytes, { level: 9 }), 'gzip') }
    : undefined;
  const variants = [plain, ...Object.values(compressed ?? {})];

  return (headers) => {
    const ifNoneMatch = headers['if-none-match'];
    const encoding = compressed && acceptedEncoding(headers['accept-encoding']);
    const preferred = encoding ? compressed[encoding] : plain;
    if (ifNoneMatch === undefined) return preferred.changed;
    if (matchesAny(ifNoneMatch)) return preferred.unchanged;
    const isKnown = ({ unchanged }: Variant) => listsEntityTag(ifNoneMatch, unchanged.headers.ETag as string);
    return variants.find(isKnown)?.unchanged ?? preferred.changed;
  };
}

function brotliOf(bytes: Buffer): Buffer {
  const params = { [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT, [zlib.BROTLI_PARAM_QUALITY]: 9 };
  return brotliCompressSync(bytes, { params });
}
