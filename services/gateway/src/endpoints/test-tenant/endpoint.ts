import { exampleApiUrl } from '../../contract/openapi.ts';
import { free } from '../../contract/operation.ts';
import { storableReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { period } from '../account/contract.ts';
import { periodExample } from '../account/examples.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { eventTypeEntries } from '../events/event-types.ts';
import { exampleTime } from '../signals/contract.ts';
import { testAllowanceRequest, testEvent, testEventRequest, testReset } from './contract.ts';
import { appendEvent, reset, setAllowance } from './test-tenant.ts';

const shared = {
  method: 'POST',
  tag: 'Test tenant',
  access: 'key',
  environment: 'test',
  billing: free,
  errors: ['not_found_test'],
  idempotent: true,
} as const;
const headers = ['Cache-Control'] as const;

export const resetTestTenant = defineEndpoint({
  ...shared,
  id: 'resetTestTenant',
  path: '/v1/test/reset',
  summary: 'Restore the test tenant of the workspace',
  description:
    'Removes the scans, jobs, lists, watchlists, events, webhooks, deliveries and usage of the workspace in the test environment, and ' +
    'restores its stores and allowance. An Idempotency-Key used before is new again, except for this operation. Live data and keys stay. ' +
    'The sequence of events goes on. After an error, repeat the request. A body may be absent or an object without members.',
  scope: 'write:scans',
  success: {
    status: 200,
    description: 'The test tenant is as at the beginning.',
    schema: testReset,
    example: { reset_at: exampleTime },
    headers,
  },
  handle: (request, deps) =>
    runIdempotently(deps, request, {}, async () => unchargedReply(200, await reset(deps, request)), {
      outlivesReset: true,
    }),
});

export const appendTestEvent = defineEndpoint({
  ...shared,
  id: 'appendTestEvent',
  path: '/v1/test/events',
  summary: 'Make an event of any type',
  description:
    'Appends an event to the sequence of the workspace in the test environment. GET /v1/events shows it, and webhooks of the test ' +
    'environment get it as any event.',
  scope: 'write:webhooks',
  body: testEventRequest,
  success: {
    status: 200,
    description: 'The event.',
    schema: testEvent,
    example: { event: { ...eventTypeEntries[0]?.exampleOf(exampleApiUrl), environment: 'test' } },
    requestExample: { type: 'signal.confirmed', data: { domain: 'store-0001.test' } },
    headers,
  },
  handle: (request, deps) =>
    runIdempotently(deps, request, request.json, async () => ({
      ...storableReply(200, await appendEvent(deps, request, request.body)),
      voidCharge: undefined,
    })),
});

export const setTestAllowance = defineEndpoint({
  ...shared,
  id: 'setTestAllowance',
  path: '/v1/test/allowance',
  summary: 'Set what is left of the allowance',
  description:
    'Sets what is left of the named units in the current period of the test environment, at most what the plan includes. Other units stay. ' +
    'used in the response does not change. X-Usage-Remaining of later responses shows what is left of lookup_cached.',
  scope: 'write:scans',
  body: testAllowanceRequest,
  success: {
    status: 200,
    description: 'The period, as in GET /v1/account.',
    schema: period,
    example: periodExample,
    requestExample: { lookup_cached: 3 },
    headers,
  },
  handle: (request, deps) =>
    runIdempotently(deps, request, request.json, async () =>
      unchargedReply(200, await setAllowance(deps, request, request.body)),
    ),
});
