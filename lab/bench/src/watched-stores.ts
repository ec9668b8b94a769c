import { ConfirmedSignal, MergeOutcome, ProfileUpdated } from '@shopscope/proto';
import type { Db } from 'mongodb';

/** The number of workspaces among which single signals are distributed. */
export const someWorkspaces = 200;
/** A workspace that reads its events. */
export const reader = 'ws_reader';
/** The store of all shared watchlists. */
export const sharedDomain = 'shared.example';
const readerStores = 10_000;
const documentsPerInsert = 10_000;

/** Whose stores: of one of some workspaces each, of one large workspace, or of the reader. */
export type Owner = 'some' | 'one' | 'reader';
export const storeOf = (owner: Owner, n: number): string =>
  `${owner}-${n % (owner === 'reader' ? readerStores : 1_000_000)}.example`;

export interface Watched {
  domain: string;
  /** The id of the signal without its prefix. */
  id: string;
}

/** An update with one confirmed signal. */
export const signalOf = ({ domain, id }: Watched): ProfileUpdated =>
  ProfileUpdated.fromPartial({
    domain,
    scanId: `scan_${id}`,
    sequence: 1,
    outcome: MergeOutcome.MERGED,
    confirmations: [
      ConfirmedSignal.fromPartial({
        id: `evt_${id}`,
        type: 'technology_added',
        technology: 'klaviyo',
        confidence: 'high',
        effectiveAtMs: 1,
        confirmedAtMs: 1,
        storefrontId: 'sf_bench',
      }),
    ],
  });

/** Writes the watchlists of all workspaces and their stores. */
export async function fillWatchlists(db: Db, { workspaces, stores }: { workspaces: number; stores: number }) {
  const range = (count: number) => Array.from({ length: count }, (_, n) => n);
  const shared = range(workspaces).map((n) => ({ workspaceId: `ws_shared${n}`, watchlistId: `wl_shared${n}` }));
  const some = range(someWorkspaces).map((n) => ({ workspaceId: `ws_some${n}`, watchlistId: `wl_some${n}` }));
  const one = { workspaceId: 'ws_one', watchlistId: 'wl_one' };
  const reading = { workspaceId: reader, watchlistId: 'wl_reader' };
  const at = new Date();
  const watchlists = [...shared, ...some, one, reading].map(({ workspaceId, watchlistId }) => ({
    _id: watchlistId as never,
    workspaceId,
    name: 'bench',
    signalTypes: ['technology_added'],
    technologies: [],
    state: 'active',
    storeCount: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }));
  const watched = [
    ...shared.map((each) => ({ ...each, domain: sharedDomain })),
    ...range(stores).map((n) => ({ ...(some[n % someWorkspaces] as typeof one), domain: storeOf('some', n) })),
    ...range(stores).map((n) => ({ ...one, domain: storeOf('one', n) })),
    ...range(readerStores).map((n) => ({ ...reading, domain: storeOf('reader', n) })),
  ].map((each) => ({ ...each, externalId: null, addedAt: at }));
  await insert(db, 'watchlists', watchlists);
  await insert(db, 'watched_stores', watched);
}

async function insert(db: Db, name: string, documents: object[]): Promise<void> {
  for (let at = 0; at < documents.length; at += documentsPerInsert)
    await db.collection(name).insertMany(documents.slice(at, at + documentsPerInsert), { ordered: false });
}
