import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ClientSession, Collection } from 'mongodb';
import type { SnapshotPace } from './snapshot-pace.ts';

export interface Summary {
  documents: number;
  bytes: number;
  sha256: string;
}

const documentsPerFetch = 1_000;
const bytesPerChunk = 4 * 1024 * 1024;
/** MongoDB's limit of 16 MiB, plus its margin for internal documents. */
const maxDocumentBytes = 16 * 1024 * 1024 + 16 * 1024;

/**
 * Reads a collection in the order of its ids and passes its bytes to `take`, at most about 8 MiB at a time. Equal
 * documents give equal bytes in equal order, so a restored collection has the digest of its dump.
 */
export async function readDocuments(
  collection: Collection,
  options: { session?: ClientSession; abort?: AbortSignal; take?(chunk: Buffer): Promise<void> },
): Promise<Summary> {
  const { session, abort, take } = options;
  const hash = createHash('sha256');
  const summary = { documents: 0, bytes: 0 };
  let parts: Buffer[] = [];
  let waiting = 0;
  const flush = async () => {
    const chunk = Buffer.concat(parts);
    parts = [];
    waiting = 0;
    hash.update(chunk);
    await take?.(chunk);
  };
  const cursor = collection
    .find({}, { raw: true, ...(session && { session }), ...(abort && { signal: abort }) })
    .sort({ _id: 1 })
    .batchSize(documentsPerFetch);
  for await (const document of cursor) {
    const bytes = document as unknown as Uint8Array;
    parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    summary.documents += 1;
    summary.bytes += bytes.byteLength;
    waiting += bytes.byteLength;
    if (waiting >= bytesPerChunk) await flush();
  }
  await flush();
  return { ...summary, sha256: hash.digest('hex') };
}

/** Writes a collection to a new file. Only its owner can read it, because it contains customer data. */
export async function writeDocuments(
  collection: Collection,
  path: string,
  options: { session: ClientSession; abort: AbortSignal; pace: SnapshotPace },
): Promise<Summary> {
  const { session, abort, pace } = options;
  const file = await open(path, 'wx', 0o600);
  const take = async (chunk: Buffer) => {
    await file.writeFile(chunk);
    pace.read(chunk.length);
  };
  try {
    const summary = await readDocuments(collection, { session, abort, take });
    await file.sync();
    return summary;
  } finally {
    await file.close();
  }
}

/** The documents of a file, in batches for one insert each. Throws when the file ends within a document. */
export async function* documentsIn(path: string): AsyncGenerator<Buffer[]> {
  const file = await open(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesPerChunk), 0, bytesPerChunk, null);
      const { documents, left } = split(Buffer.concat([rest, buffer.subarray(0, bytesRead)]), path);
      for (let from = 0; from < documents.length; from += documentsPerFetch) {
        yield documents.slice(from, from + documentsPerFetch);
      }
      rest = left;
      if (bytesRead === 0) break;
    }
    if (rest.length > 0) throw new Error(`${path} ends within a document`);
  } finally {
    await file.close();
  }
}

/** A BSON document begins with its length. */
function split(bytes: Buffer, path: string): { documents: Buffer[]; left: Buffer<ArrayBuffer> } {
  const documents: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= 4) {
    const length = bytes.readInt32LE(at);
    if (length < 5 || length > maxDocumentBytes) throw new Error(`${path} has no BSON document at byte ${at}`);
    if (bytes.length - at < length) break;
    documents.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { documents, left: Buffer.from(bytes.subarray(at)) };
}
