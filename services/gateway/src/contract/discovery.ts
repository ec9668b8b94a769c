import { z } from 'zod';
import { named } from './schemas.ts';

/** The version that the index documents report. */
export const contractVersion = '1.0.0';

export const authentication = named(
  'Authentication',
  z.object({ header: z.string(), keys_url: z.url(), scheme: z.literal('bearer') }),
);

export const serviceIndex = named(
  'ServiceIndex',
  z.object({
    authentication,
    documentation_url: z.url(),
    endpoints: z
      .record(z.string(), z.string())
      .describe('Operation id to URL template; placeholders in braces are path parameters'),
    openapi_url: z.url(),
    version: z.string(),
  }),
);

export const hostDocument = named(
  'HostDocument',
  z.object({
    name: z.string(),
    description: z.string(),
    documentation_url: z.url(),
    graphql: z.object({ url: z.url(), access: z.string() }),
    rest: z.object({ base_url: z.url(), openapi_url: z.url(), version: z.string(), authentication }),
  }),
);

export const health = named('Health', z.object({ status: z.enum(['ok', 'degraded']), version: z.string() }));

export const openapiDocument = named(
  'OpenapiDocument',
  z.looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) }),
  'This document.',
);
