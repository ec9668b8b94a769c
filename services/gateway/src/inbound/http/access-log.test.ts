import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { createLogger } from '@shopscope/telemetry';
import type { Response } from 'express';
import { describe, expect, it } from 'vitest';
import { BillingState } from '../../domain/billing-state.ts';
import type { Caller } from '../../domain/caller.ts';
import { OutcomeUnknownError } from '../../domain/outcome-unknown-error.ts';
import { createRequestDeadline } from '../../domain/request-deadline.ts';
import { unitsOf } from '../../domain/units.ts';
import { createAccessLog } from './access-log.ts';
import type { Exchange } from './exchange.ts';

const origin = { requestId: 'req_1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
const billingOf = (over: Partial<BillingState>) => Object.assign(new BillingState(), { chargeId: 'chg_1', ...over });
const billed = billingOf({ units: unitsOf({ lookupCached: 2, lookupLive: 1 }) });

const caller = { workspaceId: 'ws_1', keyId: 'key_1' } as Caller;

/** The log lines of one request from level info on, and what it counts as. `status` undefined: no response was sent. */
function finish(status: number | undefined, over: Partial<Exchange> = {}, successSample = 0) {
  const counted: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logExchange = createAccessLog({
    logger: createLogger({ service: 'gateway', instance: 'one', level: 'info', destination }),
    metrics: { observeRequest: () => {} },
    activity: { count: (...counts) => void counted.push(counts) },
    successSample,
  });
  const exchange = {
    ...{ requestId: 'req_1', origin, startedAtMs: 1_234, path: '/v1/stores/enrich', operation: { id: 'enrichStores' } },
    caller,
    deadline: createRequestDeadline(new ManualClock()),
    billing: new BillingState(),
    failure: undefined,
    failureCode: undefined,
    ...over,
  } as Exchange;
  logExchange(exchange, 'POST', { headersSent: status !== undefined, statusCode: status ?? 200 } as Response);
  return { lines, counted };
}

const linesOf = (...request: Parameters<typeof finish>) => finish(...request).lines;

describe('the log line of a request', () => {
  it('has the billed units and the charge id', () => {
    expect(linesOf(200, { billing: billed })).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'gateway',
        instance: 'one',
        requestId: 'req_1',
        trace: 'a'.repeat(32),
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
    'is written without units when an earlier charge was %s',
    (earlier) => {
      const [line, ...more] = linesOf(200, { billing: billingOf({ earlier }) });
      expect(line).toMatchObject({ level: 'info', chargeId: 'chg_1', earlier });
      expect(line).not.toHaveProperty('units');
      expect(more).toEqual([]);
    },
  );

  it('is written for every 4xx, with its reason and without a stack', () => {
    const failure = new AppError('invalid_request', 'domains: must have at most 10 entries on this plan');
    const lines = linesOf(400, { failure, failureCode: 'invalid_request' });
    const reason = 'domains: must have at most 10 entries on this plan';
    expect(lines).toMatchObject([{ level: 'info', status: 400, code: 'invalid_request', reason }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('does not contain a key that the caller sent in the path or a parameter', () => {
    const key = newApiKey('live');
    const failure = new AppError('invalid_request', `limit: must be a whole number, not "${key}"`);
    const path = `/v1/stores/${key}`;
    const [line] = linesOf(400, { path, failure, failureCode: 'invalid_request' });
    expect(JSON.stringify(line)).not.toContain(key.slice(0, 14));
    expect(line).toMatchObject({ path: `/v1/stores/${key.slice(0, 13)}…`, reason: expect.stringContaining('limit') });
  });

  it('is written with status 499 when the caller disconnected, with the billed units', () => {
    expect(linesOf(undefined, { billing: billed })).toMatchObject([
      { level: 'info', status: 499, chargeId: 'chg_1', units: { lookup_cached: 2 } },
    ]);
  });

  it('has the cause of a 5xx and of a withheld response, with the units that may be billed', () => {
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

  it('is sampled for a success that bills nothing, with or without a charge', () => {
    for (const billing of [new BillingState(), billingOf({ units: undefined })]) {
      expect(linesOf(200, { billing })).toEqual([]);
      expect(linesOf(200, { billing }, 1)).toMatchObject([{ level: 'info', status: 200 }]);
    }
  });
});

describe('the activity of a key', () => {
  it('has every request with the key once, by the class of its response and with its start', () => {
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

  it('has no request without a valid key', () => {
    expect(finish(200, { caller: undefined }).counted).toEqual([]);
    expect(finish(401, { caller: undefined, failureCode: 'unauthorized' }).counted).toEqual([]);
  });
});
