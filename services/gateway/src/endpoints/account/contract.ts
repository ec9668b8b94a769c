import { environments } from '@shopscope/environment';
import { scopes } from '@shopscope/proto';
import { z } from 'zod';
import { count, idWith, named, openEnum, slug, smallCount, timestamp } from '../../contract/schemas.ts';

export const billingUnits = ['lookup_cached', 'lookup_live', 'history_query', 'refresh_requested'] as const;
export type BillingUnit = (typeof billingUnits)[number];

export const usageCounters = named(
  'UsageCounters',
  z.object({
    history_query: count().describe('Pages of history or signal search'),
    lookup_cached: count().describe('Profiles that were read'),
    lookup_live: count().describe('Scans that were queued by refresh'),
    refresh_requested: count().describe('Scans that were queued by requestScan, and rescans of watchlists'),
  }),
  'A number for each billing unit.',
);

export const period = named(
  'Period',
  z.object({
    starts_at: timestamp(),
    ends_at: timestamp().describe('When used begins again with 0. ISO 8601, UTC'),
    included: usageCounters.describe("The plan's allowance"),
    used: usageCounters.describe('What was used, updated within five minutes'),
  }),
  'The billing period: a calendar month in UTC.',
);

export const account = named(
  'Account',
  z.object({
    key: z
      .object({
        id: idWith('key'),
        label: z.string().describe('Name that the key was given'),
        prefix: z.string().describe('Tag and first four characters of the secret; safe to log'),
        environment: openEnum(environments),
        scopes: z.array(openEnum(scopes)).describe('What the key may do'),
        expires_at: timestamp().nullable().describe('ISO 8601, UTC; null when the key does not expire'),
      })
      .describe('The key of this request'),
    workspace: z
      .object({ id: idWith('ws'), name: z.string().describe('Name of the workspace') })
      .describe('Whom the key belongs to: usage, limits and bills are its own'),
    plan: z
      .object({
        slug: slug().describe('The plan of the workspace'),
        limits: z
          .object({
            concurrency: smallCount().describe('Simultaneous requests of one key'),
            enrich_batch_max: smallCount().describe('Domains per enrich batch'),
            freshness_days: smallCount().describe('Whole days after which a profile is stale; 0: always'),
            history_days: smallCount().describe('Whole days that history reaches back'),
            live_refreshes_per_period: count().describe('Scans that refresh may queue in a period'),
            rpm: smallCount().describe('Requests per minute of one key'),
          })
          .describe('The limits of the plan'),
        quotas: z
          .object({
            lists: smallCount().describe('Lists of the workspace'),
            list_stores: smallCount().describe('Stores in all lists together; a store in two lists counts twice'),
            watchlists: smallCount().describe('Watchlists of the workspace'),
            watched_stores: smallCount().describe(
              'Stores in all watchlists together; a store in two watchlists counts twice',
            ),
            webhooks: smallCount().describe('Webhook endpoints of the workspace'),
          })
          .describe('What the workspace may keep at one time'),
      })
      .describe('The plan, its limits and its quotas'),
    period,
  }),
);

export const usage = named(
  'Usage',
  z.object({
    period,
    by_key: z
      .array(
        z.object({
          key_id: idWith('key'),
          label: z.string().describe('Name that the key was given'),
          used: usageCounters,
        }),
      )
      .describe('Every active key, and revoked or expired ones that spent units in the period'),
  }),
);
