import { z } from 'zod';
import { exampleRequestId } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { account, usage } from './account/contract.ts';
import { accountExample, periodExample } from './account/examples.ts';
import { health, hostDocument, openapiDocument, serviceIndex } from './discovery/contract.ts';
import { hostExample, indexExample } from './discovery/examples.ts';
import { enrichRequest, enrichResponse } from './enrich-stores/contract.ts';
import { storeParams, storeResponse } from './get-store/contract.ts';
import { storeExample } from './get-store/examples.ts';
import { jobOperations } from './jobs/contract.ts';
import { signalOperations } from './signals/contract.ts';
import { technologyPage, technologyQuery } from './technologies/contract.ts';

// The operations that this build serves.
const free = { billing: 'free', units: [], served: true } as const;
const discovery = { ...free, method: 'GET', tag: 'Discovery', access: 'public' } as const;

export const servedOperations = [
  {
    ...discovery,
    id: 'getHost',
    path: '/',
    summary: 'What this host offers',
    success: {
      status: 200,
      description: 'Host document.',
      schema: hostDocument,
      example: hostExample,
      headers: ['Cache-Control', 'ETag'],
      conditional: true,
    },
  },
  {
    ...discovery,
    id: 'getIndex',
    path: '/v1',
    summary: 'The operations that this build serves',
    success: {
      status: 200,
      description: 'Service index.',
      schema: serviceIndex,
      example: indexExample,
      headers: ['Cache-Control', 'ETag'],
      conditional: true,
    },
  },
  {
    ...discovery,
    id: 'getHealth',
    path: '/v1/health',
    summary: 'Whether the service is well',
    success: {
      status: 200,
      description: 'The service answers; degraded when something it depends on does not.',
      schema: health,
      example: { status: 'ok', version: '1.0.0' },
      headers: ['Cache-Control'],
    },
  },
  {
    ...discovery,
    id: 'getOpenapi',
    path: '/v1/openapi.json',
    summary: 'This contract',
    success: {
      status: 200,
      description: 'OpenAPI 3.1, the whole surface, served or not.',
      schema: openapiDocument,
      example: { openapi: '3.1.0', info: { title: 'Shopscope', version: '1.0.0' }, paths: {} },
      headers: ['Cache-Control', 'ETag', 'Vary', 'Content-Encoding'],
      conditional: true,
    },
  },
  {
    id: 'enrichStores',
    method: 'POST',
    path: '/v1/stores/enrich',
    tag: 'Stores',
    summary: 'Profiles of many stores',
    description:
      'Every input is canonicalized and answered by itself, in order. With refresh true (scope write:scans) unknown and stale ' +
      'domains are queued for a scan; the request never visits a site. A scan usually completes within minutes.\n\nTo see it, poll ' +
      'GET /v1/stores/{domain} once a minute, for 15 minutes at most: 404 is free. For a stale domain send If-None-Match with the ' +
      'ETag of an earlier GET: 304 is free, and 200 means that the profile has changed.\n\nA scan can fail, for example when the site ' +
      'does not answer: then an unknown domain stays 404, a known one keeps its profile, and the scan stays billed. A further ' +
      'request with refresh true then queues and bills another scan; while a scan of the domain is queued or running for the ' +
      'workspace, such a request joins it free. GET /v1/jobs/{job_id} shows the state of a scan and why it failed.',
    access: 'key',
    scope: 'read:stores',
    billing: 'One lookup_cached per matched or stale result, one lookup_live per queued scan',
    units: ['lookup_cached', 'lookup_live'],
    served: true,
    body: enrichRequest,
    idempotent: true,
    success: {
      status: 200,
      description: 'Results in the order of the inputs.',
      schema: enrichResponse,
      example: {
        request_id: exampleRequestId,
        billed: { lookup_cached: 1, lookup_live: 1 },
        results: [
          {
            input: 'https://shop.example/',
            match: 'matched',
            reason: null,
            scan_requested: false,
            scan_job_id: null,
            store: storeExample,
          },
          {
            input: 'new-shop.example',
            match: 'no_match',
            reason: 'not_in_corpus',
            scan_requested: true,
            scan_job_id: 'job_01kandxv3w9p4nsbq7g8e2hm5t',
            store: null,
          },
          {
            input: '127.0.0.1',
            match: 'error',
            reason: 'invalid_domain',
            scan_requested: false,
            scan_job_id: null,
            store: null,
          },
        ],
      },
      requestExample: { domains: ['https://shop.example/', 'new-shop.example', '127.0.0.1'], refresh: true },
      headers: ['Cache-Control'],
    },
    errors: ['payment_required'],
  },
  {
    id: 'getStore',
    method: 'GET',
    path: '/v1/stores/{domain}',
    tag: 'Stores',
    summary: 'Profile of one store',
    description:
      'A 404 means unknown, which does not mean that the site is no store. To request a scan, use POST /v1/stores/enrich ' +
      'with refresh true. A domain whose first scan is queued, is running or has failed answers 404.',
    access: 'key',
    scope: 'read:stores',
    billing: 'One lookup_cached on 200; 304 and 404 are free',
    units: ['lookup_cached'],
    served: true,
    params: storeParams,
    success: {
      status: 200,
      description: 'The store. Identical until its next completed observation.',
      schema: storeResponse,
      example: { match: 'matched', store: storeExample },
      headers: ['ETag', 'Cache-Control', 'Vary'],
      conditional: true,
    },
    errors: ['not_found', 'payment_required'],
  },
  {
    ...free,
    id: 'getAccount',
    method: 'GET',
    path: '/v1/account',
    tag: 'Account',
    summary: 'Key in use, plan and billing period',
    access: 'key',
    success: {
      status: 200,
      description: 'The account.',
      schema: account,
      example: accountExample,
      headers: ['Cache-Control'],
    },
  },
  {
    ...free,
    id: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    tag: 'Account',
    summary: 'Consumption of the period, in total and by key',
    access: 'key',
    success: {
      status: 200,
      description: 'Usage, seconds after the requests.',
      schema: usage,
      example: {
        period: periodExample,
        by_key: [{ key_id: accountExample.key.id, label: accountExample.key.label, used: periodExample.used }],
      },
      headers: ['Cache-Control'],
    },
  },
  {
    ...free,
    id: 'listTechnologies',
    method: 'GET',
    path: '/v1/technologies',
    tag: 'Technologies',
    summary: 'The technology vocabulary',
    access: 'key',
    scope: 'read:stores',
    query: technologyQuery,
    success: {
      status: 200,
      description: 'A page of entries by slug.',
      schema: technologyPage,
      example: {
        data: [
          {
            slug: 'klaviyo',
            name: 'Klaviyo',
            kind: 'service',
            category: 'marketing-automation',
            vendor: 'Klaviyo',
            website: 'https://www.klaviyo.com/',
            listing_url: 'https://shopscope.example/technologies/klaviyo',
          },
        ],
        next_cursor: 'a2xhdml5bw.uQ3k5WQ2J0o8Zb1rT7xNfA',
      },
      headers: ['Cache-Control'],
    },
  },
  ...jobOperations,
  ...signalOperations,
] as const satisfies readonly Operation[];

type Served = (typeof servedOperations)[number];
export type ServedOperationId = Served['id'];
/** Only these can be charged. */
export type BilledOperationId = Exclude<ServedOperationId, Extract<Served, { units: readonly [] }>['id']>;

/** The query schema of operations without query parameters. */
export const noQuery = z.strictObject({});
/** Of a POST whose body has no parameters. */
export const noBody = z.strictObject({});
