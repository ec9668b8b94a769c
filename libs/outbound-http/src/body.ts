import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundError } from './errors.ts';

export interface BodyBounds {
  /** The limit of bytes before decompression, and between two content codings. */
  maxWireBytes: number;
  /** The limit of bytes after decompression. */
  maxBytes: number;
}

export interface ReadBody {
  body: Uint8Array;
  /** How much of the body was read. `cut`: a size limit was reached. `broken`: the connection ended or stalled before the end. */
  ending: 'whole' | 'cut' | 'broken';
  wireBytes: number;
  /** Why the body is `broken`. */
  error?: unknown;
}

/** A body with more content codings is not decoded. */
const maxCodings = 3;

/**
 * Reads and decompresses a response body.
 *
 * - Bounds: decompression stops at most one chunk after the limit, so a decompression bomb is not inflated. Between two content codings,
 *   `maxWireBytes` is the limit.
 * - The stream fails, or a compressed body is invalid or ends too early -> the bytes read before that, with `ending: 'broken'`.
 * - A content coding is unknown -> the undecoded bytes, as in the Fetch standard.
 */
export async function readBody(raw: Readable, encoding: string, bounds: BodyBounds): Promise<ReadBody> {
  let wireBytes = 0;
  let isCut = false;
  const limited = (from: Readable, onBytes = (_: number): void => {}): Readable =>
    Readable.from(
      (async function* () {
        let size = 0;
        for await (const chunk of from as AsyncIterable<Buffer>) {
          size += chunk.length;
          onBytes(chunk.length);
          if (size > bounds.maxWireBytes) {
            isCut = true;
            return;
          }
          yield chunk;
        }
      })(),
    );
  const chunks: Buffer[] = [];
  let size = 0;
  const result = (ending: ReadBody['ending']) => ({ body: Buffer.concat(chunks), ending, wireBytes });
  try {
    let decoded = limited(raw, (length) => {
      wireBytes += length;
    });
    for (const [at, decode] of decodersOf(encoding).entries()) {
      const from = at === 0 ? decoded : limited(decoded);
      decoded = pipeline(from, await decode(from), () => {});
    }
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      const room = bounds.maxBytes - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (chunk.length > room) return result('cut');
    }
  } catch (cause) {
    if (raw.errored) return { ...result('broken'), error: raw.errored };
    // A compressed body without its end is incomplete. A body without bytes is empty.
    if (isCut || wireBytes === 0) return result(isCut ? 'cut' : 'whole');
    const error = new OutboundError('invalid_response', `not complete in the content coding ${encoding}`, { cause });
    return { ...result('broken'), error };
  }
  return result(isCut ? 'cut' : 'whole');
}

type Decode = (from: Readable) => Transform | Promise<Transform>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: inflaterOf,
};

/** Returns the decoders of a `Content-Encoding` header, the last coding first. */
function decodersOf(encoding: string): Decode[] {
  const codings = encoding
    .toLowerCase()
    .split(',', maxCodings + 1)
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const known = codings.flatMap((coding) => (Object.hasOwn(decoders, coding) ? [decoders[coding] as Decode] : []));
  return known.length === codings.length && codings.length <= maxCodings ? known.reverse() : [];
}

/** Some servers send deflate without the header of zlib, and browsers accept that. */
async function inflaterOf(from: Readable): Promise<Transform> {
  for await (const chunk of from.iterator({ destroyOnReturn: false })) {
    from.unshift(chunk);
    return (chunk[0] & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
  }
  return createInflate();
}
