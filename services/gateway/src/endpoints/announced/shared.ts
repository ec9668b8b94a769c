import { z } from 'zod';
import { cursor, domain, idWith, named, pageLimit } from '../../contract/schemas.ts';

/** Schemas that several announced groups of operations share. */
export const pageQuery = { cursor: cursor(), limit: pageLimit() };

export const domainsRequest = named('DomainsRequest', z.strictObject({ domains: z.array(z.string()).min(1).max(100) }));

/** The outcome of each domain of a request to add domains. */
export const domainResults = named(
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
);

export const memberPage = named(
  'MemberPage',
  z.object({
    data: z.array(z.object({ domain: domain(), added_at: z.iso.datetime() })),
    next_cursor: z.string().nullable(),
  }),
);

export const idParams = <Name extends string>(name: Name, prefix: string) =>
  z.object({ [name]: idWith(prefix) } as Record<Name, ReturnType<typeof idWith>>);

export const exampleTime = '2026-01-15T12:00:00.000Z';
export const exampleDomain = 'shop.example';
export const exampleTimes = { created_at: exampleTime, updated_at: exampleTime };
