import type { Signal, StoreUpdate } from '../../src/domain/signal-events.ts';
import type { Published } from '../../src/operations/append-events.ts';
import { type EventHarness, origin, type Replacements } from './event-harness.ts';

export const signalOf = (id: string, domain: string, over: Partial<Signal> = {}): Signal => ({
  id,
  type: 'technology_added',
  technology: 'klaviyo',
  from: null,
  to: 'active',
  confidence: 'high',
  effectiveAtMs: 0,
  confirmedAtMs: 0,
  domain,
  storefrontId: 'sf_1',
  retraction: null,
  ...over,
});

/** An update with these signals. Its scan is named after the first one. */
export const updateOf = (
  domain: string,
  ...signals: (string | { id: string; over: Partial<Signal> })[]
): Published<StoreUpdate> => {
  const given = signals.map((each) => (typeof each === 'string' ? { id: each, over: {} } : each));
  const scanId = `scan_${JSON.stringify(given[0])}`;
  return { event: { domain, scanId, signals: given.map(({ id, over }) => signalOf(id, domain, over)) }, origin };
};

interface Watch {
  workspaceId: string;
  domain: string;
  watchlistId?: string;
  externalId?: string;
  state?: 'active' | 'paused';
  signalTypes?: string[];
  technologies?: string[];
}

/** Adds each store to a watchlist of its workspace. */
export async function watch({ db }: EventHarness, ...watched: Watch[]): Promise<void> {
  const named = watched.map((each) => ({ ...each, watchlistId: each.watchlistId ?? `wl_${each.workspaceId}` }));
  const watchlists = named.map(({ watchlistId, workspaceId, state, signalTypes, technologies }) => ({
    _id: watchlistId as never,
    workspaceId,
    state: state ?? 'active',
    signalTypes: signalTypes ?? ['technology_added'],
    technologies: technologies ?? [],
    deletedAt: null,
  }));
  await db.collection('watchlists').bulkWrite(
    watchlists.map(({ _id, ...members }) => ({
      updateOne: { filter: { _id }, update: { $set: members }, upsert: true },
    })),
  );
  await db.collection('watched_stores').insertMany(
    named.map(({ domain, watchlistId, workspaceId, externalId = null }) => ({
      domain,
      watchlistId,
      workspaceId,
      externalId,
    })),
  );
}

/** Workspace ids in their order. */
export const workspacesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `ws_${String(n).padStart(6, '0')}`);

/** Thrown where an instance ends, and by each of its later calls. */
export class Ended extends Error {}

/** An instance that ends at its nth call of the database. A commit is a call too. `after`: nothing reads the response of the call. */
export function endingAt(harness: EventHarness, nth: number, when: 'before' | 'after') {
  let calls = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > nth || (calls === nth && when === 'before')) throw new Ended();
    const result = await call();
    if (calls === nth) throw new Ended();
    return result;
  };
  /** Returns a store that counts each call of its methods. */
  const countedStore = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name);
        return typeof value === 'function'
          ? (...args: unknown[]) => counted(async () => Reflect.apply(value, target, args))
          : value;
      },
    });
  const replace: Replacements<'live'> = {
    stores: (stores) => ({
      deletedWorkspaces: countedStore(stores.deletedWorkspaces),
      events: countedStore(stores.events),
      sequences: countedStore(stores.sequences),
      watchlists: countedStore(stores.watchlists),
      watchers: countedStore(stores.watchers),
      fanOuts: countedStore(stores.fanOuts),
    }),
    outbox: (outbox) => ({ appendMany: (...args) => counted(() => outbox.appendMany(...args)) }),
    transact: (transact) => async (work, options) => {
      const result = await transact(async (tx) => {
        const done = await work(tx);
        if (when === 'before') await counted(async () => {});
        return done;
      }, options);
      if (when === 'after') await counted(async () => {});
      return result;
    },
  };
  return { deps: harness.instanceIn('live', replace), hasEnded: () => calls >= nth };
}
