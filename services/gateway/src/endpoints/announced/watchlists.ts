import { z } from 'zod';
import { slug } from '../../contract/schemas.ts';
import { collectionOperations } from './collection-operations.ts';
import { eventTypes } from './events.ts';

const state = z.enum(['active', 'paused']);

/** Operations of watchlists. Their domains are rescanned, and the workspace receives their changes. */
export const announcedWatchlistOperations = collectionOperations({
  noun: 'watchlist',
  Noun: 'Watchlist',
  prefix: 'wl',
  fields: {
    name: z.string().min(1).max(200),
    event_types: z.array(z.enum(eventTypes)),
    technologies: z.array(slug()).max(100),
    rescan_interval_days: z.int().min(1).nullable().describe('At least plan.limits.freshness_days; null: no rescans'),
  },
  ownFields: { state, pause_reason: z.enum(['allowance_exhausted']).nullable() },
  changeFields: { state },
  example: {
    name: 'Competitors',
    event_types: ['signal.confirmed'],
    technologies: ['klaviyo'],
    rescan_interval_days: 7,
  },
  ownExample: { state: 'active', pause_reason: null },
  updateExample: { state: 'paused' },
  billing: { units: [], when: 'free; each scheduled rescan spends one refresh_requested' },
});
