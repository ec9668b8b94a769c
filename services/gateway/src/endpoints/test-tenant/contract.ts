import { workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import { count, named, timestamp } from '../../contract/schemas.ts';
import { event } from '../events/contract.ts';

export const testReset = named(
  'TestReset',
  z.object({ reset_at: timestamp().describe('When the reset was complete. ISO 8601, UTC') }),
);

export const testEventRequest = named(
  'TestEventRequest',
  z.strictObject({
    type: z.enum(workspaceEventTypes).describe('A type of GET /v1/event_types'),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Members that replace those of the type's example; together at most 16,384 bytes of JSON"),
  }),
);

export const testEvent = named('TestEvent', z.object({ event: event.describe('The event, as GET /v1/events has it') }));

const left = () => count().optional().describe('What is left of the unit, at most what the plan includes');

export const testAllowanceRequest = named(
  'TestAllowanceRequest',
  z
    .strictObject({
      lookup_cached: left(),
      lookup_live: left(),
      history_query: left(),
      refresh_requested: left(),
    })
    .refine((units) => Object.values(units).some((value) => value !== undefined), {
      message: 'must name a unit',
    }),
);
