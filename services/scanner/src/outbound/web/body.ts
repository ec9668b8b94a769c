import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface BodyBounds {
  /** Limit of bytes before decompression. */
  maxWireBytes: number;
  /** Limit of bytes after decompression. */
  maxBytes: number;
}

export interface ReadBody {
  body: Uint8Array;
  /** As in Fetched. */
  ending: 'whole' | 'cut' | 'broken';
  wireBytes: number;
  /** Why the body is `broken`. */
  error?: unknown;
}

/**
 * Reads and decompresses a response body.
 *
 * - Bounds: decompression stops at most one chunk after the limit, so a decompression bomb is not inflated.
 * - The stream fails -> the bytes so far, with `ending: 'broken'`.
 * - Unknown content coding -> the bytes as they are, as in the Fetch standard.
 */
export async function readBody(raw: Readable, encoding: string, bounds: BodyBounds): Promise<ReadBody> {
  const decoder = decoderOf(encoding);
  let wireBytes = 0;
  let ending: ReadBody['ending'] = 'whole';
  const limited = async function* () {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      wireBytes += chunk.length;
      if (wireBytes > bounds.maxWireBytes) {
        ending = 'cut';
        return;
      }
      yield chunk;
    }
  };
  const source = Readable.from(limited());
  const decoded = decoder ? pipeline(source, decoder, () => {}) : source;

  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      const room = bounds.maxBytes - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (chunk.length > room) {
        ending = 'cut';
        break;
      }
    }
  } catch (error) {
    return { body: Buffer.concat(chunks), ending: 'broken', wireBytes, error };
  }
  return { body: Buffer.concat(chunks), ending, wireBytes };
}

function decoderOf(encoding: string): Transform | undefined {
  // A truncated stream is decoded as far as it goes.
  const tolerant = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(tolerant);
    case 'deflate':
      return createInflate(tolerant);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
