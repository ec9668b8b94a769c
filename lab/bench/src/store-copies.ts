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
  lastCompletedScanAt: Date;
}

/**
 * Fills `store_bodies`, the only collection of stores that a page of history reads, with copies of an imported store. The
 * importer would write the same bodies, and profiles, observations and events, at a few thousand stores per second.
 *
 * - Stores 0 and 1 must be imported.
 * - Profiles makes bodies from more than {@link namesOf} knows -> throws, because the copy of store 0 is not store 1.
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

/** Bodies of other stores, with the names of those stores and the time of their scan. */
export function createBodyCopier({ body, lastCompletedScanAt }: StoredBody) {
  const names = namesOf(0, lastCompletedScanAt);
  /** Text and, at the odd places, names. */
  const pieces = body
    .toString('utf8')
    .split(new RegExp(`(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`));
  const places = pieces.map((piece, at) => (at % 2 === 1 ? names.indexOf(piece) : -1));
  return (n: number, scannedAt: Date): StoredBody => {
    const others = namesOf(n, scannedAt);
    const bytes = Buffer.from(pieces.map((piece, at) => others[places[at] as number] ?? piece).join(''));
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, etagLength)}"`;
    return { _id: domainOf(n), body: new Binary(bytes), etag, lastCompletedScanAt: scannedAt };
  };
}

const etagLength = 22;

/** What differs between the bodies of two stores of the corpus. */
function namesOf(n: number, scannedAt: Date): string[] {
  const domain = domainOf(n);
  return [domain, storeNameOf(n), deriveId('bg', domain), deriveId('sf', domain), scannedAt.toISOString()];
}
