import { z } from 'zod';
import { free, type Operation } from '../../contract/operation.ts';
import { idWith, named, timestamp } from '../../contract/schemas.ts';
import { exampleSignal } from '../signals/contract.ts';
import { exampleDomain, exampleTime, pageQuery } from './shared.ts';

/** The workspace's event sequence. */
export const eventTypes = [
  'signal.confirmed',
  'scan.completed',
  'scan.failed',
  'usage.threshold_reached',
  'key.expiring',
  'webhook.disabled',
] as const;

export const event = named(
  'Event',
  z.object({
    id: idWith('evt'),
    type: z.enum(eventTypes),
    created_at: timestamp(),
    data: z.record(z.string(), z.unknown()),
  }),
);

const eventPage = named(
  'EventPage',
  z.object({
    data: z.array(event),
    next_cursor: z.string().describe('Where to resume; never null'),
    has_more: z.boolean(),
  }),
);

export const exampleEvent = {
  id: exampleSignal.id,
  type: 'signal.confirmed',
  created_at: exampleTime,
  data: { ...exampleSignal, domain: exampleDomain },
};

export const announcedEventOperations = [
  {
    id: 'pollEvents',
    method: 'GET',
    path: '/v1/events',
    tag: 'Signals',
    summary: "The workspace's events in sequence",
    description: 'Events are kept for 30 days; an older cursor answers 400 naming after.',
    access: 'key',
    scope: 'read:signals',
    billing: free,
    served: false,
    query: z.strictObject({
      after: z.string().min(1).max(500).optional(),
      types: z.string().max(500).optional().describe('Comma-separated event types'),
      watchlist_id: idWith('wl').optional(),
      limit: pageQuery.limit,
    }),
    success: {
      status: 200,
      description: 'Events after the cursor, oldest first.',
      schema: eventPage,
      example: { data: [exampleEvent], next_cursor: 'ZXZ0XzAx.c2lnbmF0dXJl', has_more: false },
    },
  },
] as const satisfies readonly Operation[];
