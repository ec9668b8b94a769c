import { z } from 'zod';
import { cursor, domain, idWith, named, pageLimit, timestamp } from '../../contract/schemas.ts';

export const exampleTime = '2026-01-15T12:00:00.000Z';
export const exampleDomain = 'shop.example';
export const exampleTimes = { created_at: exampleTime, updated_at: exampleTime };

export const times = { created_at: timestamp(), updated_at: timestamp() };
export const deleted = { status: 204, description: 'Deleted.' } as const;
export const pageQuery = { cursor: cursor(), limit: pageLimit() };

export const domainsRequest = named('DomainsRequest', z.strictObject({ domains: z.array(z.string()).min(1).max(100) }));

/** The success of a request that adds domains. It has the outcome of each domain. */
export const addedDomains = {
  status: 200,
  description: 'What became of each input.',
  schema: named(
    'DomainResults',
    z.object({
      results: z.array(
        z.object({
          input: z.string(),
          domain: domain().nullable(),
          result: z.enum(['added', 'already_present', 'error']),
          reason: z.enum(['invalid_domain']).nullable(),
        }),
      ),
    }),
  ),
  example: { results: [{ input: exampleDomain, domain: exampleDomain, result: 'added', reason: null }] },
  requestExample: { domains: [exampleDomain] },
} as const;

export const memberPage = named(
  'MemberPage',
  z.object({
    data: z.array(z.object({ domain: domain(), added_at: z.iso.datetime() })),
    next_cursor: z.string().nullable(),
  }),
);

export const idParams = <Name extends string>(name: Name, prefix: string) =>
  z.object({ [name]: idWith(prefix) } as Record<Name, ReturnType<typeof idWith>>);

/** The success of a request for a page. */
export const pageSuccess = (schema: z.ZodType, entry: unknown, description = 'A page.') =>
  ({ status: 200, description, schema, example: { data: [entry], next_cursor: null } }) as const;
