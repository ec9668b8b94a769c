import { environments } from '@shopscope/environment';
import { type WorkspaceEventType, workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import {
  idWith,
  named,
  openEnum,
  pageLimit,
  pageOf,
  queryDocumentation,
  queryInteger,
  queryList,
  timestamp,
} from '../../contract/schemas.ts';

/** The events of a workspace, in the order of their sequence. */

export const eventTypeMeanings = {
  'signal.confirmed': 'a signal of a store in an active watchlist was confirmed',
  'signal.retracted': 'a confirmed signal of a store in an active watchlist was refuted by the next full scan',
  'scan.completed': 'a scan job of the workspace has succeeded',
  'scan.failed': 'a scan job of the workspace has failed',
  'job.finished': 'a bulk job has ended',
  'usage.threshold_reached': 'a percentage of a unit of the allowance is used',
  'key.expiring': 'an API key expires in 7 days or in one day, and was made earlier than that',
  'watchlist.paused': 'a person has paused a watchlist: neither rescans nor signals',
  'watchlist.resumed': 'a person has made a watchlist active again',
  'watchlist.rescans_paused': 'a watchlist has no more rescans for now; its signals continue',
  'watchlist.rescans_resumed': 'the rescans of a watchlist continue',
  'webhook.failing': 'a webhook had no success for 24 hours and at least 5 failed attempts',
  'webhook.disabled': 'a webhook was disabled after failed attempts; what it missed can be replayed',
} as const satisfies Record<WorkspaceEventType, string>;

const resourceTypes = ['store', 'job', 'watchlist', 'webhook'] as const;

const relatedResource = named(
  'RelatedResource',
  z.object({
    type: openEnum(resourceTypes),
    id: z.string().describe('The id of the resource'),
    url: z.url().describe('Where the resource is read'),
  }),
);

export const eventMembers = {
  id: idWith('evt'),
  sequence: z
    .int()
    .min(1)
    .describe('The place in the sequence of the workspace and the environment: from 1, without gaps'),
  type: openEnum(workspaceEventTypes, { meanings: eventTypeMeanings }),
  created_at: timestamp().describe('ISO 8601, UTC; it never decreases along the sequence'),
  environment: openEnum(environments),
  related: relatedResource.nullable().describe('The resource that the event is about; null when no operation reads it'),
};

export const event = named(
  'Event',
  z.object({
    ...eventMembers,
    data: z.record(z.string(), z.unknown()).describe('The members depend on the type: GET /v1/event_types lists them'),
  }),
);

export const eventPage = named(
  'EventPage',
  z.object({
    data: z.array(event).describe('The events of this page'),
    next_cursor: z
      .string()
      .nullable()
      .describe('The after of the next page; with order=asc never null, with order=desc always'),
    has_more: z
      .boolean()
      .describe(
        'Whether more events follow now; a page may have fewer events than limit. With order=desc also true when older events were not ' +
          'examined: a page examines at most 10,000',
      ),
  }),
);

const waitSeconds = { minimum: 0, maximum: 8, default: 0 } as const;
const wait = queryInteger(waitSeconds.minimum, waitSeconds.maximum).default(waitSeconds.default);
queryDocumentation.add(wait, {
  description:
    'Seconds that an empty page waits for the first event. With order=asc only. The request holds one concurrency slot meanwhile',
  type: 'integer',
  ...waitSeconds,
});

export const eventQuery = z.strictObject({
  after: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'next_cursor of an earlier page, with these or other filters. Without it the page begins with the oldest event',
    ),
  types: queryList(z.enum(workspaceEventTypes), 'Only events of these types'),
  watchlist_id: idWith('wl')
    .optional()
    .describe(
      'Only signals that reached the workspace by this watchlist, and changes of the watchlist itself; no scans. A deleted watchlist ' +
        'answers 404: without this filter, its events remain',
    ),
  limit: pageLimit(),
  order: z
    .enum(['asc', 'desc'])
    .default('asc')
    .describe('asc: along the sequence. desc: one page, the latest events first, without after'),
  wait,
});

export const eventTypePage = pageOf(
  'EventTypePage',
  named(
    'EventType',
    z.object({
      type: openEnum(workspaceEventTypes),
      description: z.string().describe('What has happened'),
      scope: z.string().describe('The scope that reads events of this type'),
      schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the whole event'),
      example: event,
    }),
  ),
);
