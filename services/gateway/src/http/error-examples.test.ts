import { noDeadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { allowanceExhausted, bodyConflict } from '../charging/charge.ts';
import { noUnits } from '../charging/units.ts';
import { type ErrorName, errorAnswers } from '../contract/errors.ts';
import { createLookUpStore } from '../endpoints/get-store/look-up-store.ts';
import { createJobs } from '../endpoints/jobs/jobs.ts';
import { operations } from '../endpoints/operations.ts';
import { technologyQuery } from '../endpoints/technologies/contract.ts';
import { unauthorized, unauthorizedMessages } from '../keys/unauthorized.ts';
import { createPublicLimits } from '../limits/public-limits.ts';
import { rejectLargeBody } from './body/read-body.ts';
import { validate } from './input/validation.ts';
import { indexOperations } from './operation-index.ts';
import { admit } from './steps/admit.ts';
import { authenticate } from './steps/authenticate.ts';
import { rejectWhileDraining } from './steps/reject-while-draining.ts';
import { requireScope } from './steps/require-scope.ts';
import { requireServedOperation } from './steps/require-served-operation.ts';

/** Compares the error examples of openapi.json with the messages that the code sends. */
const index = indexOperations(operations);
const operation = (id: string) => operations.find((one) => one.id === id);
const json = { 'content-type': 'application/json' };
const plan = { rpm: 600, concurrency: 20, included: { ...noUnits, lookupCached: 1_000 } };

/** Rejects with the error that the handler throws for this request. */
async function refusal(handler: RequestHandler, request: { exchange?: object; headers?: Record<string, string> }) {
  const whole = { headers: {}, rawHeaders: Object.entries(request.headers ?? {}).flat(), ...request };
  await handler(whole as unknown as Request, { closed: false } as Response, () => {});
}

const decided = (outcome: 'rate_limited' | 'concurrency_limited') =>
  refusal(
    admit(
      {
        admission: {
          decide: async () => ({ outcome, remaining: 0, resetSeconds: 1, release: () => {} }),
          isFarFromLimits: () => false,
        },
      },
      () => {},
    ),
    { exchange: { caller: { plan } } },
  );
const keys = {
  authenticate: (token: string) => {
    throw unauthorized(token.startsWith('svc_') ? 'notActive' : 'malformed');
  },
  invalidate: () => {},
  size: 0,
};
const authorized = (headers: Record<string, string>) =>
  refusal(authenticate({ authenticateKey: keys }), { exchange: { operation: operation('getAccount') }, headers });
const scoped = (scopes: string[]) =>
  refusal(requireScope, {
    exchange: {
      operation: operation('enrichStores'),
      caller: { scopes },
      body: Buffer.from('{"domains":[],"refresh":true}'),
    },
    headers: json,
  });

/** Of operations that are not served yet. */
type Announced = `not_found_${'list' | 'watchlist' | 'webhook' | 'delivery'}`;

const senders: Record<Exclude<ErrorName, Announced>, () => unknown> = {
  invalid_request: () => validate(technologyQuery, { limit: '500' }, 'query'),
  unauthorized: () => authorized({ authorization: 'Bearer svc_live_x' }),
  payment_required: () => {
    const used = { ...noUnits, lookupCached: 995 };
    const balance = { used, reserved: noUnits, taken: used, periodEndMs: Date.UTC(2026, 1, 1) };
    const refused = { exhaustedUnit: 'lookup_cached', balance } as unknown as Parameters<typeof allowanceExhausted>[0];
    const request = { units: { ...noUnits, lookupCached: 10 }, caller: { plan } };
    throw allowanceExhausted(refused, request as unknown as Parameters<typeof allowanceExhausted>[1]);
  },
  forbidden_scope: () => scoped([]),
  not_found: () => {
    const profiles = { lookUp: async () => undefined };
    const options = { profiles, chargeUnits: {} } as unknown as Parameters<typeof createLookUpStore>[0];
    const { begin, finish } = createLookUpStore(options);
    const begun = begin({ input: 'shop.example', origin: { requestId: '', traceparent: '' }, deadline: noDeadline });
    return finish({ begun } as Parameters<typeof finish>[0]);
  },
  not_found_job: () => {
    const options = { scheduler: { getJob: async () => undefined } } as unknown as Parameters<typeof createJobs>[0];
    const request = { caller: { workspaceId: 'ws_1' }, jobId: 'job_1' };
    return createJobs(options).get(request as unknown as Parameters<ReturnType<typeof createJobs>['get']>[0]);
  },
  conflict: () => {
    throw bodyConflict();
  },
  body_too_large: () => refusal(rejectLargeBody, { headers: { 'content-length': '300000' } }),
  rate_limited: () => decided('rate_limited'),
  public_rate_limited: () => {
    const { acquire } = createPublicLimits({ clock: systemClock, maxPerMinute: 300 });
    for (let n = 0; n <= 300; n++) acquire('203.0.113.9');
  },
  internal: () => {
    throw AppError.from(new Error('a fault'));
  },
  not_implemented: () =>
    refusal(requireServedOperation(index), { exchange: { operation: operations.find(({ served }) => !served) } }),
  concurrency_limited: () => decided('concurrency_limited'),
  unavailable: () =>
    refusal(
      rejectWhileDraining(() => true),
      {},
    ),
};

const variantSenders: Record<string, () => unknown> = {
  unauthorized_no_header: () => authorized({}),
  unauthorized_not_bearer: () => authorized({ authorization: 'Basic eDp5' }),
  unauthorized_malformed: () => authorized({ authorization: 'bearer x' }),
  forbidden_scope_refresh: () => scoped(['read:stores']),
};

async function sent(act: () => unknown): Promise<Pick<AppError, 'code' | 'status' | 'publicMessage'>> {
  try {
    await act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an error example of openapi.json', () => {
  it.each(Object.keys(senders) as (keyof typeof senders)[])(
    'of %s has the message that the gateway sends',
    async (name) => {
      const { code, status, message } = errorAnswers[name];
      expect(await sent(senders[name])).toMatchObject({ code, status, publicMessage: message });
    },
  );

  const variants = Object.values(errorAnswers).flatMap(({ code, variants }) =>
    Object.entries(variants).map(([name, message]) => ({ name, code, message: message as string })),
  );
  it.each(variants)('of $name has the message that the gateway sends', async ({ name, code, message }) => {
    expect(await sent(variantSenders[name] as () => unknown)).toMatchObject({ code, publicMessage: message });
  });

  it('exists for each variant of a message, and no message repeats a credential', async () => {
    expect(variants.map(({ name }) => name).sort()).toEqual(Object.keys(variantSenders).sort());
    const { publicMessage } = await sent(() => authorized({ authorization: 'Token svc_live_secret' }));
    expect(publicMessage).toBe(unauthorizedMessages.notBearer);
  });
});
