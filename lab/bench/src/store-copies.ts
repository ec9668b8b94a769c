import { hash } from 'node:crypto';
import { deriveId } from '@shopscope/ids';
import { Binary, type Collection } from 'mongodb';
import { insertInBatches } from './batched-insert.ts';
import { domainOf, storeNameOf } from './corpus.ts';

/** The body of a store as profiles stores it (services/profiles/src/outbound/mongo/store-bodies.ts). */
export interface StoredBody {
  _id: string;
  body: Binary;
  etag: string;
  sequence: number;
  firstScanAt: Date;
  lastCompletedScanAt: Date;
}

/**
 * Fills `store_bodies`, the only collection of stores that a page of history reads, with copies of an imported store. The importer would
 * write the same bodies, but also profiles, observations and events, so it would take much longer.
 *
 * - Stores 0 and 1 must be imported.
 * - The bodies of two stores differ in more than {@link namesOf} returns -> it throws, because a copy of store 0 is then not store 1.
 * - A later import of the same stores replaces the copies.
 */
export async function copyStores(
  bodies: Collection<StoredBody>,
  stores: number,
  say: (line: string) => void,
): Promise<void> {
  const present = await bodies.countDocuments({ _id: /^bench-/ });
  if (present >= stores) return;
  const [first, second] = await Promise.all([0, 1].map((n) => bodies.findOne({ _id: domainOf(n) })));
  if (!first || !second) throw new Error('the stores to copy are not imported');
  const copyOf = createBodyCopier(first);
  const copied = copyOf(1, second.lastCompletedScanAt);
  if (copied.etag !== second.etag) throw new Error('the body of store 1 is not a copy of that of store 0');
  const latestMs = first.lastCompletedScanAt.getTime();
  const documentOf = (n: number) => copyOf(n, new Date(latestMs - n));
  await insertInBatches({ collection: bodies, count: stores, documentOf, what: 'stores', say });
}

/** Returns a function that makes the body of another store, with the names of that store and the time of its scan. */
export function createBodyCopier({ body, sequence, lastCompletedScanAt }: StoredBody) {
  const names = namesOf(0, lastCompletedScanAt);
  /** The texts between the names. The names have the odd indexes. */
  const pieces = body
    .toString('utf8')
    .split(new RegExp(`(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`));
  const places = pieces.map((piece, at) => (at % 2 === 1 ? names.indexOf(piece) : -1));
  return (n: number, scannedAt: Date): StoredBody => {
    const others = namesOf(n, scannedAt);
    const bytes = Buffer.from(pieces.map((piece, at) => others[places[at] as number] ?? piece).join(''));
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, etagLength)}"`;
    const scans = { sequence, firstScanAt: scannedAt, lastCompletedScanAt: scannedAt };
    return { _id: domainOf(n), body: new Binary(bytes), etag, ...scans };
  };
}

const etagLength = 22;

/** Returns the texts that differ between the bodies of two stores of the corpus. */
function namesOf(n: number, scannedAt: Date): string[] {
  const domain = domainOf(n);
  return [domain, storeNameOf(n), deriveId('bg', domain), deriveId('sf', domain), scannedAt.toISOString()];
}
