import { signalTypes } from '@shopscope/proto';
import { z } from 'zod';
import type { Billing } from '../../contract/operation.ts';
import { count, idWith, inResponse, named, openEnum, pageOf, slug, timestamp } from '../../contract/schemas.ts';
import { exampleTime, exampleTimes, groupName, groupTimes } from '../store-groups/contract.ts';

const billing: Billing = { units: [], when: 'free; each scheduled rescan spends one refresh_requested' };
export const shared = { tag: 'Watchlists', access: 'key', billing } as const;
export const reads = { ...shared, scope: 'read:watchlists' } as const;
export const writes = {
  ...shared,
  scope: 'write:watchlists',
  bodyScopes: ({ rescan_interval_days: days }: Readonly<Record<string, unknown>>) =>
    days === undefined || days === null ? [] : [{ scope: 'write:scans', reason: 'rescan_interval_days' } as const],
} as const;

export const watchlistStates = ['active', 'paused'] as const;
export const rescansPausedReasons = ['budget_exhausted', 'allowance_exhausted', 'key_revoked'] as const;

/** The largest freshness_days of a plan. */
const maxIntervalDays = 3_650;
const maxBudget = 1_000_000_000;

const fields = {
  signal_types: z.array(z.enum(signalTypes)).min(1).describe('The signals that the workspace receives'),
  technologies: z.array(slug()).max(100).describe('Only signals of these technologies; empty: of all'),
  rescan_interval_days: z
    .int()
    .min(1)
    .max(maxIntervalDays)
    .nullable()
    .describe(
      'At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill the key that set it',
    ),
  budget: z
    .strictObject({ refresh_requested: count().max(maxBudget).nullable().describe('null: no bound') })
    .describe('The units that rescans may spend in a period'),
};
const changes = { name: groupName(), ...fields };

export const watchlist = named(
  'Watchlist',
  z.object({
    id: idWith('wl'),
    ...inResponse(changes),
    state: openEnum(watchlistStates, {
      meanings: { active: 'the workspace receives the signals of its stores', paused: 'neither rescans nor signals' },
    }),
    rescans_paused: openEnum(rescansPausedReasons, {
      more: 'Why rescans pause; null while they run.',
      meanings: {
        budget_exhausted: 'its budget of the period is spent',
        allowance_exhausted: 'the allowance of the workspace is spent',
        key_revoked: 'the key that set the interval has ended or lost its scope',
      },
    }).nullable(),
    store_count: count().describe('Its stores'),
    next_rescan_at: timestamp().nullable(),
    forecast: z.object({
      refresh_requested: count().describe('Units that rescans will spend until the end of this period'),
      left: count()
        .nullable()
        .describe(
          'Units of the allowance that the workspace has left in this period, for everything that spends them; null: not known at the moment',
        ),
    }),
    ...groupTimes,
  }),
);
export const watchlistPage = pageOf('WatchlistPage', watchlist);
export const watchlistCreate = named(
  'WatchlistCreate',
  z.strictObject({ name: groupName(), ...z.object(fields).partial().shape }),
);
export const watchlistUpdate = named(
  'WatchlistUpdate',
  z.strictObject({ ...changes, state: z.enum(watchlistStates) }).partial(),
);
export const watchlistParams = z.object({ watchlist_id: idWith('wl') });

export const exampleWatchlist = {
  id: 'wl_01kandxv3w9p4nsbq7g8e2hm5t',
  name: 'Competitors',
  signal_types: [...signalTypes],
  technologies: ['klaviyo'],
  rescan_interval_days: 7,
  budget: { refresh_requested: 500 },
  state: 'active',
  rescans_paused: null,
  store_count: 40,
  next_rescan_at: exampleTime,
  forecast: { refresh_requested: 92, left: 408 },
  ...exampleTimes,
};
