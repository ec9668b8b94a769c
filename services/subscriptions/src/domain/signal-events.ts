import type { Environment, Tenant } from '@shopscope/environment';
import { eventIdOf, type NewEvent, type SignalSubject, timeOf } from './event.ts';

/** An event names at most these watchlists. With their ids and the external ids it stays below the largest data of an event. */
export const maxWatchlistIds = 500;
const maxExternalIdBytes = 192 * 1024;

/** A confirmed signal of a store, or one that is retracted. */
export interface Signal {
  id: string;
  type: string;
  technology: string;
  from: string | null;
  to: string | null;
  confidence: string;
  effectiveAtMs: number;
  confirmedAtMs: number;
  domain: string;
  storefrontId: string;
  subject?: SignalSubject;
  retraction: { atMs: number; reason: string } | null;
}

/** The signals of a store that one merge has confirmed or retracted, in their order. */
export interface StoreUpdate {
  domain: string;
  scanId: string;
  signals: readonly Signal[];
}

/** An entry of a store in a watchlist, with what the watchlist asks for. */
export interface WatchedStore {
  workspaceId: string;
  watchlistId: string;
  isActive: boolean;
  /** The id that the caller has given the store. */
  externalId: string | null;
  signalTypes: readonly string[];
  /** An empty list selects all technologies. */
  technologies: readonly string[];
}

/**
 * Returns one event per workspace that watches the store, however many of its watchlists match. A watchlist matches if it is active and
 * asks for the type and the technology of the signal.
 */
export function signalEvents<E extends Environment>(
  environment: E,
  signal: Signal,
  watched: readonly WatchedStore[],
): NewEvent<E>[] {
  const matching = watched.filter((entry) => isMatch(entry, signal));
  return [...Map.groupBy(matching, ({ workspaceId }) => workspaceId)].map(([workspaceId, entries]) =>
    eventOf({ workspaceId, environment }, signal, entries),
  );
}

const isMatch = ({ isActive, signalTypes, technologies }: WatchedStore, { type, technology }: Signal): boolean =>
  isActive && signalTypes.includes(type) && (technologies.length === 0 || technologies.includes(technology));

function eventOf<E extends Environment>(
  tenant: Tenant<E>,
  signal: Signal,
  entries: readonly WatchedStore[],
): NewEvent<E> {
  const { id, domain, storefrontId, retraction, subject } = signal;
  const watchlistIds = distinct(entries.map(({ watchlistId }) => watchlistId)).slice(0, maxWatchlistIds);
  return {
    tenant,
    // The id of a confirmed signal is the id of its event, in every workspace.
    id: retraction ? eventIdOf('signal.retracted', tenant, id) : id,
    type: retraction ? 'signal.retracted' : 'signal.confirmed',
    watchlistIds,
    related: { type: 'store', id: storefrontId, path: `/v1/stores/${domain}` },
    ...(subject && { subject }),
    data: JSON.stringify({
      id,
      type: signal.type,
      technology: signal.technology,
      from: signal.from,
      to: signal.to,
      confidence: signal.confidence,
      effective_at: timeOf(signal.effectiveAtMs),
      confirmed_at: timeOf(signal.confirmedAtMs),
      ...(retraction && { retracted_at: timeOf(retraction.atMs), retracted_reason: retraction.reason }),
      domain,
      storefront_id: storefrontId,
      external_ids: boundedExternalIds(entries),
      watchlist_ids: watchlistIds,
    }),
  };
}

/** A workspace must not be able to fail the events of others by external ids that make its own event too large. */
function boundedExternalIds(entries: readonly WatchedStore[]): string[] {
  let bytes = 0;
  return distinct(entries.flatMap(({ externalId }) => externalId ?? [])).filter((externalId) => {
    bytes += Buffer.byteLength(JSON.stringify(externalId)) + 1;
    return bytes <= maxExternalIdBytes;
  });
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();
