import { type WorkspaceEventType, workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import { count, domain, idWith, named, openEnum, timestamp } from '../../contract/schemas.ts';
import { billingUnits } from '../account/contract.ts';
import { signal } from '../get-store/contract.ts';
import { exampleEnrichJob, exampleJob, failedJob, job, jobError } from '../jobs/contract.ts';
import { exampleSignal, exampleTime, retractedReason } from '../signals/contract.ts';
import { eventMembers, eventTypeMeanings } from './contract.ts';

/** The catalogue of events: for each type the members of `data`, an example, and the resource that the event is about. */
interface Entry {
  data: z.ZodRawShape;
  example: Record<string, unknown>;
  related: { type: string; id: string; path: string } | null;
}

const idBody = '01kandxv3w9p4nsbq7g8e2hm5t';
const exampleDomain = 'shop.example';
const watchlistId = `wl_${idBody}`;
const webhookId = `whk_${idBody}`;
const storefrontId = 'sf_4zrb6p8wq2m1n7k5j3h9g0f2e4';

const ofStore = {
  domain: domain(),
  storefront_id: idWith('sf'),
  external_ids: z.array(z.string()).describe('The ids that the workspace has given the store in these watchlists'),
  watchlist_ids: z.array(idWith('wl')).describe('The active watchlists of the workspace that have the store'),
};
const storeExample = {
  domain: exampleDomain,
  storefront_id: storefrontId,
  external_ids: ['crm-1042'],
  watchlist_ids: [watchlistId],
};
const store = { type: 'store', id: storefrontId, path: `/v1/stores/${exampleDomain}` };

const ofScan = {
  job_id: idWith('job'),
  domain: domain(),
  finished_at: timestamp().describe('ISO 8601, UTC: when the job has ended'),
};
const scanExample = { job_id: exampleJob.id, domain: exampleDomain, finished_at: exampleTime };
const relatedJob = ({ id }: { id: string }) => ({ type: 'job', id, path: `/v1/jobs/${id}` });
const scanJob = relatedJob(exampleJob);

const ofWatchlist = { watchlist_id: idWith('wl'), name: z.string().describe('Name of the watchlist') };
const watchlistExample = { watchlist_id: watchlistId, name: 'Competitors' };
const watchlist = { type: 'watchlist', id: watchlistId, path: `/v1/watchlists/${watchlistId}` };

const ofWebhook = { webhook_id: idWith('whk'), url: z.url().describe('The address of the webhook') };
const webhookExample = { webhook_id: webhookId, url: 'https://hooks.example/shopscope' };
const webhook = { type: 'webhook', id: webhookId, path: `/v1/webhooks/${webhookId}` };

const entries: Record<WorkspaceEventType, Entry> = {
  'signal.confirmed': {
    data: { ...signal.shape, ...ofStore },
    example: { ...exampleSignal, ...storeExample },
    related: store,
  },
  'signal.retracted': {
    data: {
      ...signal.shape,
      retracted_at: timestamp().describe('The scan that refuted the signal. ISO 8601, UTC'),
      retracted_reason: retractedReason(),
      ...ofStore,
    },
    example: {
      ...exampleSignal,
      type: 'technology_removed',
      from: 'active',
      to: null,
      retracted_at: '2026-01-16T12:00:00.000Z',
      retracted_reason: 'technology_seen_again',
      ...storeExample,
    },
    related: store,
  },
  'scan.completed': { data: ofScan, example: scanExample, related: scanJob },
  'scan.failed': {
    data: { ...ofScan, error: jobError.describe('Why the job failed') },
    example: { ...scanExample, error: failedJob.error },
    related: scanJob,
  },
  'job.finished': {
    data: {
      job_id: idWith('job'),
      type: job.shape.type,
      state: job.shape.state,
      progress: job.shape.progress,
      finished_at: ofScan.finished_at,
    },
    example: {
      job_id: exampleEnrichJob.id,
      type: exampleEnrichJob.type,
      state: 'succeeded',
      progress: { total: 500, done: 500, failed: 3 },
      finished_at: exampleTime,
    },
    related: relatedJob(exampleEnrichJob),
  },
  'usage.threshold_reached': {
    data: {
      unit: openEnum(billingUnits),
      percent: count().describe('80 or 100: the part of the allowance that is used. Once per period'),
      period_starts_at: timestamp().describe('The period. ISO 8601, UTC'),
    },
    example: { unit: 'lookup_live', percent: 80, period_starts_at: '2026-01-01T00:00:00.000Z' },
    related: null,
  },
  'key.expiring': {
    data: {
      key_id: idWith('key'),
      days_left: count().describe('7 or 1'),
      expires_at: timestamp().describe('When the key expires. ISO 8601, UTC'),
    },
    example: { key_id: `key_${idBody}`, days_left: 7, expires_at: '2026-01-22T12:00:00.000Z' },
    related: null,
  },
  'watchlist.paused': { data: ofWatchlist, example: watchlistExample, related: watchlist },
  'watchlist.resumed': { data: ofWatchlist, example: watchlistExample, related: watchlist },
  'watchlist.rescans_paused': {
    data: {
      ...ofWatchlist,
      reason: openEnum(['budget_exhausted', 'allowance_exhausted', 'key_revoked'], { more: 'Why rescans are paused.' }),
    },
    example: { ...watchlistExample, reason: 'allowance_exhausted' },
    related: watchlist,
  },
  'watchlist.rescans_resumed': { data: ofWatchlist, example: watchlistExample, related: watchlist },
  'webhook.failing': { data: ofWebhook, example: webhookExample, related: webhook },
  'webhook.disabled': {
    data: { ...ofWebhook, reason: z.string().describe('Why the webhook was disabled, as a sentence') },
    example: { ...webhookExample, reason: 'The endpoint answered 410.' },
    related: webhook,
  },
};

const exampleSequence = 1042;

export interface EventTypeEntry {
  type: WorkspaceEventType;
  description: string;
  /** The schema of `data`. */
  data: z.ZodObject;
  /** The schema of the whole event. */
  schema: z.ZodObject;
  /** The example of the whole event. `baseUrl`: the public address of this API. */
  exampleOf(baseUrl: string): Record<string, unknown>;
  /** The body of the message that a webhook gets. A large event has only some members of `data`. */
  message: { schema: z.ZodObject; example: object };
}

const pascal = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

function entryOf(type: WorkspaceEventType): EventTypeEntry {
  const { data, example, related } = entries[type];
  const meaning = eventTypeMeanings[type];
  const description = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  const ofType = z.literal(type);
  const messageData = z
    .object(data)
    .partial()
    .extend({
      truncated: z.literal(true).optional().describe('The event is larger than 20 KB, and data has its ids only'),
    });
  return {
    type,
    description,
    data: z.object(data),
    message: {
      schema: named(
        `${pascal(type)}Message`,
        z.object({
          type: ofType,
          timestamp: eventMembers.created_at.describe('ISO 8601, UTC: the created_at of the event'),
          data: messageData,
          sequence: eventMembers.sequence,
          environment: eventMembers.environment,
        }),
      ),
      example: { type, timestamp: exampleTime, data: example, sequence: exampleSequence, environment: 'live' },
    },
    schema: named(
      `${pascal(type)}Event`,
      z.object({ ...eventMembers, type: ofType, data: z.object(data) }),
      description,
    ),
    exampleOf: (baseUrl) => ({
      id: type === 'signal.confirmed' ? example.id : `evt_${idBody}`,
      sequence: exampleSequence,
      type,
      created_at: exampleTime,
      environment: 'live',
      related: related && { type: related.type, id: related.id, url: `${baseUrl}${related.path}` },
      data: example,
    }),
  };
}

/** All types of events, in the order of the documentation. */
export const eventTypeEntries: readonly EventTypeEntry[] = workspaceEventTypes.map(entryOf);
