import { createRequestDeadline, OutcomeUnknownError, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { type CompletedRequest, unitsOf } from '@shopscope/proto';
import { createLogger } from '@shopscope/telemetry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EndedRequest } from '../http/request.ts';
import type { Caller } from '../keys/caller.ts';
import { createAccessLog } from './access-log.ts';

const origin = {
  requestId: 'req_1',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  environment: 'live' as const,
};
const billingOf = (over: Partial<RequestBilling>) =>
  Object.assign(new RequestBilling(), { chargeId: 'chg_1', ...over });
const billed = billingOf({ units: unitsOf({ lookupCached: 2, lookupLive: 1 }) });

const caller = { keyEnvironment: 'live', workspaceId: 'ws_1', keyId: 'key_1', keyPrefix: 'svc_live_ab12' } as Caller;

/**
 * The log lines of one request from level info on, what it counts as, and its place in the request log. `status` undefined:
 * no response was sent.
 */
function finish(
  status: number | undefined,
  over: Partial<EndedRequest> = {},
  successSample = 0,
  headers: Record<string, string> = {},
) {
  const counted: unknown[] = [];
  const faults: string[] = [];
  const seconds: number[] = [];
  const logged: [string, CompletedRequest][] = [];
  const loggedInTest: [string, CompletedRequest][] = [];
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createAccessLog({
    logger: createLogger({ service: 'gateway', instance: 'one', level: 'info', destination }),
    metrics: {
      observeRequest(request) {
        faults.push(request.fault);
        seconds.push(request.seconds);
      },
    },
    activity: { count: (...counts) => void counted.push(counts) },
    requestLogs: {
      live: { add: (workspaceId, request) => void logged.push([workspaceId, request]) },
      test: { add: (workspaceId, request) => void loggedInTest.push([workspaceId, request]) },
    },
    successSample,
  });
  const request = {
    id: 'req_1',
    requestId: 'req_1',
    search: '',
    pathParams: {},
    method: 'POST',
    origin,
    startedAtMs: 1_234,
    path: '/v1/stores/enrich',
    operation: { id: 'enrichStores' },
    caller,
    deadline: createRequestDeadline(new ManualClock()),
    billing: new RequestBilling(),
    waitedMs: 0,
    failure: undefined,
    failureCode: undefined,
    ...over,
    message: { headers },
    response: { headersSent: status !== undefined, statusCode: status ?? 200 },
  } as unknown as EndedRequest;
  log(request);
  return { lines, counted, logged, loggedInTest, faults, seconds };
}

const linesOf = (...request: Parameters<typeof finish>) => finish(...request).lines;

describe('faults in metrics', () => {
  const failed = (error: Error, code?: string) => ({ failure: error, failureCode: code });
  it.each([
    ['a success', 200, {}, 'none'],
    ['an invalid request', 400, failed(new AppError('invalid_request', '')), 'caller'],
    ['an announced operation', 501, failed(new AppError('not_implemented', '')), 'caller'],
    ['a spent rate', 429, failed(new AppError('rate_limited', '')), 'limit'],
    ['too many requests at the same time', 503, failed(new AppError('concurrency_limited', '')), 'limit'],
    ['a limit that is unavailable', 503, failed(new AppError('unavailable', '', { fault: 'limit' })), 'limit'],
    ['a service that does not answer', 503, failed(new AppError('unavailable', '')), 'service'],
    ['a defect', 500, failed(new TypeError('a defect')), 'service'],
    ['a withheld response', undefined, failed(new OutcomeUnknownError(undefined), 'withheld'), 'service'],
    ['a caller that disconnected', undefined, failed(new Error('aborted')), 'caller'],
  ])('the metrics of %s name who is at fault', (_, status, over, fault) => {
    expect(finish(status, over).faults).toEqual([fault]);
  });
});

it('the latency of a request in metrics leaves out the time in which its caller let it wait', () => {
  expect(finish(200, { answeredAfterMs: 8_030, waitedMs: 8_000 }).seconds).toEqual([0.03]);
  expect(finish(200, { answeredAfterMs: 30 }).seconds).toEqual([0.03]);
});

describe('log lines', () => {
  it('the log line of a request without an authenticated caller has no environment', () => {
    const unknown = { failure: new AppError('unauthorized', 'No key.'), origin: { ...origin, environment: null } };
    const [line] = linesOf(401, unknown);
    expect(line).toMatchObject({ requestId: 'req_1', status: 401 });
    expect(line).not.toHaveProperty('environment');
  });

  it('the log line of a request has the billed units and the charge id', () => {
    expect(linesOf(200, { billing: billed })).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'gateway',
        instance: 'one',
        requestId: 'req_1',
        trace: 'a'.repeat(32),
        environment: 'live',
        method: 'POST',
        path: '/v1/stores/enrich',
        operation: 'enrichStores',
        status: 200,
        durationMs: 0,
        workspaceId: 'ws_1',
        keyId: 'key_1',
        chargeId: 'chg_1',
        units: { lookup_cached: 2, lookup_live: 1 },
        msg: 'request',
      },
    ]);
  });

  it.each(['replayed', 'settled_before'] as const)(
    'the log line of a request is written without units when an earlier charge was %s',
    (earlier) => {
      const [line, ...more] = linesOf(200, { billing: billingOf({ earlier }) });
      expect(line).toMatchObject({ level: 'info', chargeId: 'chg_1', earlier });
      expect(line).not.toHaveProperty('units');
      expect(more).toEqual([]);
    },
  );

  it('the log line of a request is written for every 4xx, with its reason and without a stack', () => {
    const failure = new AppError('invalid_request', 'domains: must have at most 10 entries on this plan');
    const lines = linesOf(400, { failure, failureCode: 'invalid_request' });
    const reason = 'domains: must have at most 10 entries on this plan';
    expect(lines).toMatchObject([{ level: 'info', status: 400, code: 'invalid_request', reason }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('the log line of a request does not contain a key that the caller sent in the path or a parameter', () => {
    const key = newApiKey('live');
    const failure = new AppError('invalid_request', `limit: must be a whole number, not "${key}"`);
    const path = `/v1/stores/${key}`;
    const [line] = linesOf(400, { path, failure, failureCode: 'invalid_request' });
    expect(JSON.stringify(line)).not.toContain(key.slice(0, 14));
    expect(line).toMatchObject({ path: `/v1/stores/${key.slice(0, 13)}…`, reason: expect.stringContaining('limit') });
  });

  it('the log line of a request has status 499 and the billed units when the caller disconnected', () => {
    expect(linesOf(undefined, { billing: billed })).toMatchObject([
      { level: 'info', status: 499, chargeId: 'chg_1', units: { lookup_cached: 2 } },
    ]);
  });

  it('the log line of a 5xx or of a withheld response has the cause, with the units that may be billed', () => {
    const failure = new AppError('internal', 'no response', { cause: new Error('no database') });
    expect(linesOf(500, { failure, failureCode: 'internal' })).toMatchObject([
      { level: 'error', status: 500, err: { cause: { message: 'no database' } } },
    ]);
    const withheld = {
      failure: new OutcomeUnknownError(new Error('no broker')),
      failureCode: 'withheld',
      billing: billed,
    };
    expect(linesOf(undefined, withheld)).toMatchObject([
      {
        level: 'error',
        status: 0,
        chargeId: 'chg_1',
        units: { lookup_live: 1 },
        err: { cause: { message: 'no broker' } },
      },
    ]);
  });

  it('the log line of a request is sampled for a success that bills nothing, with or without a charge', () => {
    for (const billing of [new RequestBilling(), billingOf({ units: undefined })]) {
      expect(linesOf(200, { billing })).toEqual([]);
      expect(linesOf(200, { billing }, 1)).toMatchObject([{ level: 'info', status: 200 }]);
    }
  });
});

describe('key activity', () => {
  it('the activity of a key has every request with the key once, by the class of its response and with its start', () => {
    const failure = new AppError('concurrency_limited', 'the key has 1 request in flight');
    const limited = { failure, failureCode: failure.code };
    expect([
      finish(200).counted,
      finish(404, { failure: new AppError('not_found', ''), failureCode: 'not_found' }).counted,
      finish(503, limited).counted,
      finish(undefined).counted,
      finish(undefined, { failure: new OutcomeUnknownError(new Error('no broker')), failureCode: 'withheld' }).counted,
    ]).toEqual([
      [[caller, 'succeeded', 1_234]],
      [[caller, 'client_error', 1_234]],
      [[caller, 'limited', 1_234]],
      [[caller, 'client_error', 1_234]],
      [[caller, 'server_error', 1_234]],
    ]);
  });

  it('the activity of keys has no request without a valid key', () => {
    expect(finish(200, { caller: undefined }).counted).toEqual([]);
    expect(finish(401, { caller: undefined, failureCode: 'unauthorized' }).counted).toEqual([]);
  });
});

describe('the request log', () => {
  const enriched = {
    operation: { id: 'enrichStores', path: '/v1/stores/enrich', idempotent: true } as EndedRequest['operation'],
    body: { domains: ['a.example', 'b.example'], refresh: true },
  };
  const loggedOf = (...request: Parameters<typeof finish>) => finish(...request).logged[0]?.[1];

  it('the request log gets a request with a valid key, with what it billed and without header values and bodies', () => {
    const header = { 'idempotency-key': 'import-2026-11', 'x-request-id': 'my-request-1' };
    const over = { ...enriched, billing: billed, requestId: 'my-request-1' };
    const { logged } = finish(200, over, 0, header);
    expect(logged).toEqual([
      [
        'ws_1',
        {
          id: 'req_1',
          requestId: 'my-request-1',
          keyId: 'key_1',
          keyPrefix: 'svc_live_ab12',
          startedAtMs: 1_234,
          operation: 'enrichStores',
          method: 'POST',
          pathTemplate: '/v1/stores/enrich',
          path: '/v1/stores/enrich',
          query: '',
          status: 200,
          errorCode: '',
          durationUs: 0,
          units: unitsOf({ lookupCached: 2, lookupLive: 1 }),
          domains: 2,
          hasIdempotencyKey: true,
          replayed: false,
          billedBefore: false,
          environment: 'live',
        },
      ],
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/import-2026-11|a\.example/);
  });

  it('the request log gets no request without a valid key, because it belongs to no workspace', () => {
    expect(finish(401, { caller: undefined }).logged).toEqual([]);
  });

  it('a request of a test key goes into the request log of the test environment only', () => {
    const { logged, loggedInTest } = finish(200, { caller: { ...caller, keyEnvironment: 'test' } });
    expect(logged).toEqual([]);
    expect(loggedInTest).toMatchObject([['ws_1', { operation: 'enrichStores' }]]);
  });

  it('the request log has the code of an error response, and none when no response was sent', () => {
    const rateLimited = { failure: new AppError('rate_limited', 'Wait.'), failureCode: 'rate_limited' };
    expect(loggedOf(429, rateLimited)).toMatchObject({ status: 429, errorCode: 'rate_limited', domains: 0 });
    expect(loggedOf(undefined, { failureCode: 'withheld', billing: billed })).toMatchObject({
      status: 0,
      errorCode: '',
      units: billed.units,
    });
    expect(loggedOf(undefined, { failureCode: 'internal' })).toMatchObject({ status: 499, errorCode: '' });
  });

  it('the request log distinguishes replayed responses and executed retries from requests that billed', () => {
    expect(loggedOf(200, { billing: billingOf({ earlier: 'replayed' }) })).toMatchObject({
      units: undefined,
      replayed: true,
      billedBefore: false,
      environment: 'live',
    });
    expect(loggedOf(200, { billing: billingOf({ earlier: 'settled_before' }) })).toMatchObject({
      units: undefined,
      replayed: false,
      billedBefore: true,
      environment: 'live',
    });
  });

  it('the request log counts the domain of a path', () => {
    const operation = { id: 'getStore', path: '/v1/stores/{domain}', params: z.object({ domain: z.string() }) };
    const over = { operation: operation as unknown as EndedRequest['operation'], path: '/v1/stores/shop.example' };
    expect(loggedOf(404, over)).toMatchObject({ domains: 1, path: '/v1/stores/shop.example' });
  });
});
