import type { components } from './api.gen.ts';
import type { Operations } from './operations.ts';
import type { Platform } from './platform.ts';

export type Event = components['schemas']['Event'];

export interface EventsOptions {
  /**
   * A cursor from `onCursor`. Yields the events after it. Default: all events, the oldest of which is at most 30 days
   * old.
   */
  after?: string | undefined;
  /** Only events of these types. */
  types?: readonly string[] | undefined;
  /** Only signals that reached the workspace by this watchlist, and changes of the watchlist itself; no scans. */
  watchlistId?: string | undefined;
  /** Waits for further events instead of ending with those that exist. Each waiting request holds a slot of the key's concurrency. */
  follow?: boolean | undefined;
  /**
   * Called when the loop has taken all events before the cursor and asks for more. A program that stores the cursor here and gives it as
   * `after` at its next start misses no event. It may see the last events again.
   */
  onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** Ends the iteration. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

const pageLimit = 200;
const waitSeconds = 8;
/** This is longer than the wait. The time limit of the client does not apply. */
const timeoutMs = 15_000;
/**
 * The minimum time between two requests of a follower. A wait may end early, and events that arrive one by one are read
 * together.
 */
const minIntervalMs = 1_000;

/**
 * Yields the events of the workspace, in the order of their sequence. An error that remains after all attempts ends the
 * iteration.
 */
export async function* readEvents(
  { listEvents }: Pick<Operations, 'listEvents'>,
  { after, types, watchlistId, follow = false, onCursor, signal }: EventsOptions,
  { nowMs, sleep }: Platform,
): AsyncGenerator<Event, void, undefined> {
  for (let cursor = after; ; ) {
    const startMs = nowMs();
    const query = {
      limit: pageLimit,
      ...(cursor !== undefined && { after: cursor }),
      ...(types && types.length > 0 && { types: types as never }),
      ...(watchlistId !== undefined && { watchlist_id: watchlistId }),
      ...(follow && { wait: waitSeconds }),
    };
    const page = await listEvents(query, { signal, ...(follow && { timeoutMs }) });
    yield* page.data;
    if (page.next_cursor !== null && page.next_cursor !== cursor) {
      cursor = page.next_cursor;
      await onCursor?.(cursor);
    }
    if (page.has_more) continue;
    if (!follow) return;
    await sleep(Math.max(0, startMs + minIntervalMs - nowMs()), signal);
  }
}
