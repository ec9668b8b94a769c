import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VisitFailure } from '../../domain/reasons.ts';

export interface BodyBounds {
  /** Bytes as they come over the wire. */
  maxWireBytes: number;
  /** Bytes after decompression: what is kept. */
  maxBytes: number;
}

export interface ReadBody {
  body: Uint8Array;
  ending: 'whole' | 'cut' | 'broken';
  wireBytes: number;
  /** What broke it. */
  error?: unknown;
}

/**
 * Reads a response body within bounds. Decompression is pulled along by the reader: at the bound it stops, so that a
 * small bomb is never inflated further than one chunk past it. Never throws for what the peer does to the stream; what
 * had arrived is returned with `ending: 'broken'`. Throws VisitFailure for a content coding that was not asked for.
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
  // A stream that was cut short still yields what it holds.
  const tolerant = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip(tolerant);
    case 'deflate':
      return createInflate(tolerant);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new VisitFailure('invalid_response', `the content coding ${encoding.slice(0, 40)} was not asked for`);
  }
}
