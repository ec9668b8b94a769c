import { type Clock, dayMs, systemClock } from '@shopscope/clock';
import type { GrpcClient } from '@shopscope/grpc';
import type { Mongo } from '@shopscope/mongo';
import { type ProfilesServiceService, SearchSignalsRequest } from '@shopscope/proto';
import { appendPastSignals } from '@shopscope/subscriptions';

export interface DemoEventsOptions {
  profiles: Pick<GrpcClient<typeof ProfilesServiceService>, 'searchSignals'>;
  /** The database of subscriptions. */
  mongo: Mongo;
  workspaceId: string;
  /** An active watchlist. Its stores are added afterwards, so that no other event of them comes first. */
  watchlistId: string;
  /** The stores that the watchlist will have. */
  stores: readonly { domain: string; externalId: string }[];
  clock?: Clock;
}

/** The watchlist should exist from this instant on. It is before the first event of a run at `nowMs`. */
export const watchedSinceMs = (nowMs: number): number => nowMs - 22 * dayMs;

/** The maximum number of signals that become events. The latest ones are taken. */
const maxSignals = 200;

/**
 * Gives a watchlist the events of the last three weeks: those of its stores' signals, each at the time of its confirmation. Repeated -> it
 * adds nothing, because the signals name the events.
 */
export async function makeDemoEvents(options: DemoEventsOptions): Promise<void> {
  const { profiles, mongo, workspaceId, watchlistId, stores, clock = systemClock } = options;
  const domains = stores.map(({ domain }) => domain);
  const filters = { stores: { domains }, confirmedFromMs: watchedSinceMs(clock.now()) };
  const request = SearchSignalsRequest.fromPartial({ filters, limit: maxSignals });
  const { signals } = await profiles.searchSignals(request);
  const watchers = stores.map((store) => ({ ...store, workspaceId, watchlistId }));
  await appendPastSignals(mongo, { signals: signals.toReversed(), watchers });
}
