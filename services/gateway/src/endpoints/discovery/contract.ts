import { z } from 'zod';
import { meaningsText } from '../../contract/meanings.ts';
import { named } from '../../contract/schemas.ts';

/** The version that the index documents report. */
export const contractVersion = '1.0.0';

const documentation = () => z.url().describe('Documentation for people');
const contract = () => z.url().describe('The contract as OpenAPI document');
const version = () => z.string().describe('Version of the contract');

export const authentication = named(
  'Authentication',
  z.object({
    header: z.string().describe('The header that carries the key'),
    keys_url: z.url().describe('Page where admins create and revoke keys'),
    scheme: z.literal('bearer').describe('Precedes the key: Bearer <API_KEY>'),
  }),
  'How a request carries its key.',
);

export const serviceIndex = named(
  'ServiceIndex',
  z.object({
    authentication,
    documentation_url: documentation(),
    endpoints: z
      .record(z.string(), z.string())
      .describe('Operation id to URL template; placeholders in braces are path parameters'),
    openapi_url: contract(),
    version: version(),
  }),
);

export const hostDocument = named(
  'HostDocument',
  z.object({
    name: z.string().describe('Name of the service'),
    description: z.string().describe('What it does, in a sentence'),
    documentation_url: documentation(),
    graphql: z
      .object({
        url: z.url().describe('Address of the GraphQL endpoint'),
        access: z.string().describe('What it needs'),
      })
      .describe('The GraphQL endpoint'),
    rest: z
      .object({
        base_url: z.url().describe('Address that paths begin with'),
        openapi_url: contract(),
        version: version(),
        authentication,
      })
      .describe('The HTTP API'),
  }),
);

const healthMeanings = {
  ok: 'all parts that requests need respond',
  degraded: 'requests are answered, but a part of the service does not respond',
};

export const health = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded']).describe(meaningsText(healthMeanings)),
    version: version(),
  }),
);

export const openapiDocument = named(
  'OpenapiDocument',
  z.looseObject({
    openapi: z.string().describe('Version of the OpenAPI format'),
    info: z
      .looseObject({ title: z.string().describe('Name of the service'), version: version() })
      .describe('What the document is about'),
  }),
  'This document.',
);
