import type { Event } from '@shopscope/client';
import { z } from 'zod';

/**
 * An event of the workspace, as the page shows it. A member that an event does not have, or has in a form that this version does not know,
 * is undefined: a later release of the API may add types.
 */
export type Change = ReturnType<typeof changeOf>;

/** The names of the watchlists of the workspace, by id. */
export type WatchlistNames = Readonly<Record<string, string>>;

export interface ChangePage {
  /** The latest first. */
  changes: Change[];
  /** Whether earlier ones match, too. */
  hasEarlier: boolean;
  /** Whether the watchlist of the filter does not exist. The changes are then those of all watchlists. */
  isWatchlistGone: boolean;
}

const maxChars = 300;
const maxIds = 20;

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = () => optional(z.string().transform((value) => value.slice(0, maxChars)));
const value = () => optional(z.string().max(maxChars).nullable());
const ids = () => optional(z.array(z.string().max(maxChars)).transform((list) => list.slice(0, maxIds)));
const count = () => z.int().min(0);

const data = z
  .object({
    domain: text(),
    external_ids: ids(),
    watchlist_ids: ids(),
    // Signals.
    type: text(),
    technology: text(),
    from: value(),
    to: value(),
    // Scans and jobs.
    job_id: text(),
    state: text(),
    error: optional(z.object({ message: z.string().transform((message) => message.slice(0, maxChars)) })),
    progress: optional(z.object({ total: count(), done: count(), failed: count() })),
    // Allowance, keys, watchlists, webhooks.
    unit: text(),
    percent: optional(count()),
    key_id: text(),
    days_left: optional(count()),
    watchlist_id: text(),
    name: text(),
    reason: text(),
    url: text(),
  })
  .catch({} as never);

export function changeOf({ id, sequence, type, created_at, data: sent }: Event) {
  return { id, sequence, type, atMs: Date.parse(created_at), ...membersOf(data.parse(sent)) };
}

const membersOf = ({ type: kind, job_id, key_id, watchlist_id, days_left, ...rest }: z.output<typeof data>) => ({
  kind,
  jobId: job_id,
  keyId: key_id,
  watchlistId: watchlist_id,
  daysLeft: days_left,
  domain: rest.domain,
  externalIds: rest.external_ids ?? [],
  watchlistIds: rest.watchlist_ids ?? [],
  technology: rest.technology,
  from: rest.from ?? null,
  to: rest.to ?? null,
  state: rest.state,
  failure: rest.error?.message,
  progress: rest.progress,
  unit: rest.unit,
  percent: rest.percent,
  name: rest.name,
  reason: rest.reason,
  url: rest.url,
});
