import { z } from 'zod';
import { exampleApiUrl } from '../../contract/openapi.ts';
import { free } from '../../contract/operation.ts';
import { jsonReply, storableReply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { eventPage, eventQuery, eventTypePage } from './contract.ts';
import { eventTypeEntries } from './event-types.ts';
import { pageOfEvents } from './list-events.ts';

const scope = 'read:signals';

export const listEvents = defineEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  tag: 'Signals',
  summary: "The workspace's events, in the order of their sequence",
  description:
    'Events are kept for 30 days. The sequence of a workspace has no gap, and a reader that has read up to an event never finds a new one ' +
    'before it: follow next_cursor to miss nothing. An after behind which events were deleted answers 400 naming after.',
  access: 'key',
  scope,
  billing: free,
  query: eventQuery,
  errors: ['not_found_watchlist'],
  success: {
    status: 200,
    description: 'A page of events.',
    schema: eventPage,
    example: {
      data: [eventTypeEntries[0]?.exampleOf(exampleApiUrl)],
      next_cursor: 'MTA0Mg.uQ3k5WQ2J0o8Zb1rT7xNfA',
      has_more: false,
    },
    headers: ['Cache-Control'],
  },
  handle: async (request, deps) => storableReply(200, await pageOfEvents(deps, request, request.query)),
});

/** The rows of all types. A schema refers to no other document, so that it can be used alone. */
const rows = eventTypeEntries.map(({ type, description, schema, exampleOf }) => ({
  type,
  description,
  scope,
  schema: z.toJSONSchema(schema, { io: 'input', reused: 'inline' }),
  exampleOf,
}));
const rowsAt = (apiUrl: string) => rows.map(({ exampleOf, ...row }) => ({ ...row, example: exampleOf(apiUrl) }));

export const listEventTypes = defineEndpoint({
  id: 'listEventTypes',
  method: 'GET',
  path: '/v1/event_types',
  tag: 'Signals',
  summary: 'The types of events, each with its schema and an example',
  description: 'A later release may add types. A caller ignores events of a type that it does not know.',
  access: 'key',
  billing: free,
  success: {
    status: 200,
    description: 'All types.',
    schema: eventTypePage,
    example: { data: rowsAt(exampleApiUrl).slice(0, 1), next_cursor: null },
    headers: ['Cache-Control'],
  },
  handle: (_request, { publicApiUrl }) => jsonReply(200, { data: rowsAt(publicApiUrl), next_cursor: null }),
});
