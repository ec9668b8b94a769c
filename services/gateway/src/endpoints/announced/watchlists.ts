import { z } from 'zod';
import { idWith, named, pageOf, slug, timestamp } from '../../contract/schemas.ts';
import { collectionOperations } from './collection-operations.ts';
import { eventTypes } from './events.ts';
import { exampleTimes } from './shared.ts';

/** Watchlists: domains that are rescanned and whose changes the workspace receives. */
const watchlistFields = {
  name: z.string().min(1).max(200),
  event_types: z.array(z.enum(eventTypes)),
  technologies: z.array(slug()).max(100),
  rescan_interval_days: z.int().min(1).nullable().describe('At least plan.limits.freshness_days; null: no rescans'),
};
const watchlist = named(
  'Watchlist',
  z.object({
    id: idWith('wl'),
    ...watchlistFields,
    state: z.enum(['active', 'paused']),
    pause_reason: z.enum(['allowance_exhausted']).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

const exampleWatchlist = {
  name: 'Competitors',
  event_types: ['signal.confirmed'],
  technologies: ['klaviyo'],
  rescan_interval_days: 7,
};

export const announcedWatchlistOperations = collectionOperations({
  path: 'watchlists',
  noun: 'watchlist',
  Noun: 'Watchlist',
  idName: 'watchlist_id',
  prefix: 'wl',
  read: 'read:watchlists',
  write: 'write:watchlists',
  schema: watchlist,
  page: pageOf('WatchlistPage', watchlist),
  create: named('WatchlistCreate', z.strictObject(watchlistFields)),
  update: named(
    'WatchlistUpdate',
    z.strictObject({ ...watchlistFields, state: z.enum(['active', 'paused']) }).partial(),
  ),
  example: {
    id: 'wl_01kandxv3w9p4nsbq7g8e2hm5t',
    ...exampleWatchlist,
    state: 'active',
    pause_reason: null,
    ...exampleTimes,
  },
  createExample: exampleWatchlist,
  updateExample: { state: 'paused' },
  billing: { units: [], when: 'free; each scheduled rescan spends one refresh_requested' },
});
