import { z } from 'zod';
import { count, idWith, named, slug, timestamp } from './schemas.ts';

export const scopes = [
  'read:stores',
  'read:signals',
  'write:scans',
  'read:watchlists',
  'write:watchlists',
  'read:webhooks',
  'write:webhooks',
  'read:jobs',
] as const;
export type Scope = (typeof scopes)[number];

export const billingUnits = ['lookup_cached', 'lookup_live', 'history_query', 'refresh_requested'] as const;
export type BillingUnit = (typeof billingUnits)[number];

export const usageCounters = named(
  'UsageCounters',
  z.object({
    history_query: count(),
    lookup_cached: count(),
    lookup_live: count(),
    refresh_requested: count(),
  }),
);

export const period = named(
  'Period',
  z.object({ starts_at: timestamp(), ends_at: timestamp(), included: usageCounters, used: usageCounters }),
  'The billing period: a calendar month in UTC.',
);

export const account = named(
  'Account',
  z.object({
    key: z.object({
      id: idWith('key'),
      label: z.string(),
      prefix: z.string().describe('Tag and first four characters of the secret; safe to log'),
      environment: z.string().describe('live'),
      scopes: z.array(z.enum(scopes)),
      expires_at: timestamp().nullable(),
    }),
    workspace: z.object({ id: idWith('ws'), name: z.string() }),
    plan: z.object({
      slug: slug(),
      limits: z.object({
        concurrency: count().describe('Simultaneous requests'),
        enrich_batch_max: count().describe('Domains per enrich batch'),
        freshness_days: count().describe('Whole days after which a profile is stale; 0: always'),
        history_days: count().describe('Whole days that history reaches back'),
        live_refreshes_per_period: count(),
        rpm: count().describe('Requests per minute'),
      }),
    }),
    period,
  }),
);

export const usage = named(
  'Usage',
  z.object({
    period,
    by_key: z
      .array(z.object({ key_id: idWith('key'), label: z.string(), used: usageCounters }))
      .describe('Every active key, and revoked or expired ones that spent units in the period'),
  }),
);
