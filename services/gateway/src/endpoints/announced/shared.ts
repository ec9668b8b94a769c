import { z } from 'zod';
import { cursor, idWith, pageLimit, timestamp } from '../../contract/schemas.ts';

export const exampleTime = '2026-01-15T12:00:00.000Z';
export const exampleDomain = 'shop.example';
export const exampleTimes = { created_at: exampleTime, updated_at: exampleTime };

export const times = { created_at: timestamp(), updated_at: timestamp() };
export const deleted = { status: 204, description: 'Deleted.' } as const;
export const pageQuery = { cursor: cursor(), limit: pageLimit() };

export const idParams = <Name extends string>(name: Name, prefix: string) =>
  z.object({ [name]: idWith(prefix) } as Record<Name, ReturnType<typeof idWith>>);

/** The success of a request for a page. */
export const pageSuccess = (schema: z.ZodType, entry: unknown, description = 'A page.') =>
  ({ status: 200, description, schema, example: { data: [entry], next_cursor: null } }) as const;
