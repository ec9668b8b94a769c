import { noDeadline } from '@shopscope/async';
import { allowanceExhausted, bodyConflict } from '@shopscope/charging';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { noUnits } from '@shopscope/proto';
import { validate } from '@shopscope/text';
import { describe, expect, it } from 'vitest';
import { announcedOperation } from '../../test/served-by.ts';
import { type ErrorName, errorAnswers } from '../contract/errors.ts';
import { operations } from '../endpoints/endpoints.ts';
import { answerStore } from '../endpoints/get-store/look-up-store.ts';
import { readJob } from '../endpoints/jobs/jobs.ts';
import { technologyQuery } from '../endpoints/technologies/contract.ts';
import { readTechnology } from '../endpoints/technologies/technologies.ts';
import type { Caller } from '../keys/caller.ts';
import { unauthorized, unauthorizedMessages } from '../keys/unauthorized.ts';
import { createPublicLimits } from '../limits/public-limits.ts';
import { rejectLargeBody } from './body/read-body.ts';
import { indexOperations } from './operation-index.ts';
import type { AuthenticatedRequest, ServedOperation } from './request.ts';
import { admit } from './steps/admit.ts';
import { authenticate } from './steps/authenticate.ts';
import { parseBody, requireScope, requireServedOperation } from './steps/prepare.ts';
import { rejectWhileStopping } from './steps/receive.ts';

/** Compares the error examples of openapi.json with the messages that the code sends. */
const index = indexOperations(operations);
const operation = (id: string) => operations.find((one) => one.id === id);
const json = { 'content-type': 'application/json' };
const plan = { rpm: 600, concurrency: 20, included: { ...noUnits, lookupCached: 1_000 } };

const requestOf = (members: object, headers: Record<string, string> = {}) =>
  ({
    message: { headers, rawHeaders: Object.entries(headers).flat() },
    response: { closed: false },
    ...members,
  }) as unknown as AuthenticatedRequest & { operation: ServedOperation };

const decided = (outcome: 'rate_limited' | 'concurrency_limited') =>
  admit(
    {
      admission: {
        decide: async () => ({ outcome, remaining: 0, resetSeconds: 1, release: () => {} }),
        isFarFromLimits: () => false,
      },
    },
    requestOf({ caller: { plan } }),
    () => {},
  );
const keys = {
  authenticate: (token: string) => {
    throw unauthorized(token.startsWith('svc_') ? 'notActive' : 'malformed');
  },
  invalidate: () => {},
  size: 0,
};
const authorized = (headers: Record<string, string>) =>
  authenticate({ authenticateKey: keys }, requestOf({ operation: operation('getAccount') }, headers));
const scoped = (scopes: string[]) => {
  const bytes = Buffer.from('{"domains":[],"refresh":true}');
  const request = requestOf({ operation: operation('enrichStores'), bytes }, json);
  requireScope(request, { scopes } as unknown as Caller, parseBody(request));
};

/** subscriptions and webhooks send them. */
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
    const [deps, request] = [{}, {}] as unknown as Parameters<typeof answerStore>;
    return answerStore(deps, request, undefined);
  },
  not_found_technology: () => {
    const deps = { profiles: { getTechnology: async () => undefined } };
    return readTechnology(deps, 'unheard-of', {
      origin: { requestId: '', traceparent: '', environment: 'live' },
      deadline: noDeadline,
    });
  },
  not_found_job: () => {
    const deps = { scheduler: { getJob: async () => undefined } } as unknown as Parameters<typeof readJob>[0];
    return readJob(deps, requestOf({ caller: { workspaceId: 'ws_1' } }), 'job_1');
  },
  not_found_test: () =>
    requireServedOperation(
      index,
      requestOf({ operation: operation('resetTestTenant'), caller: { keyEnvironment: 'live' } }),
    ),
  conflict: () => {
    throw bodyConflict();
  },
  body_too_large: () => rejectLargeBody({ headers: { 'content-length': '300000' } }),
  rate_limited: () => decided('rate_limited'),
  public_rate_limited: () => {
    const { acquire } = createPublicLimits({ clock: systemClock, maxPerMinute: 300 });
    for (let n = 0; n <= 300; n++) acquire('203.0.113.9');
  },
  internal: () => {
    throw AppError.from(new Error('a fault'));
  },
  not_implemented: () => requireServedOperation(index, requestOf({ operation: announcedOperation })),
  concurrency_limited: () => decided('concurrency_limited'),
  unavailable: () => rejectWhileStopping(() => true),
};

const variantSenders: Record<string, () => unknown> = {
  unauthorized_no_header: () => authorized({}),
  unauthorized_not_bearer: () => authorized({ authorization: 'Basic eDp5' }),
  unauthorized_malformed: () => authorized({ authorization: 'bearer x' }),
  forbidden_scope_refresh: () => scoped(['read:stores']),
  forbidden_scope_list: () => {
    const request = requestOf({ operation: operation('searchSignals'), search: 'list_id=lst_1' });
    requireScope(request, { scopes: ['read:signals'] } as unknown as Caller, undefined);
  },
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

describe('error examples', () => {
  it.each(Object.keys(senders) as (keyof typeof senders)[])(
    'the error example of %s has the message that the gateway sends',
    async (name) => {
      const { code, status, message } = errorAnswers[name];
      expect(await sent(senders[name])).toMatchObject({ code, status, publicMessage: message });
    },
  );

  const variants = Object.values(errorAnswers).flatMap(({ code, variants }) =>
    Object.entries(variants).map(([name, message]) => ({ name, code, message: message as string })),
  );
  it.each(variants)('the example of $name has the message that the gateway sends', async ({ name, code, message }) => {
    expect(await sent(variantSenders[name] as () => unknown)).toMatchObject({ code, publicMessage: message });
  });

  it('an error example exists for each variant of a message, and no message repeats a credential', async () => {
    expect(variants.map(({ name }) => name).sort()).toEqual(Object.keys(variantSenders).sort());
    const { publicMessage } = await sent(() => authorized({ authorization: 'Token svc_live_secret' }));
    expect(publicMessage).toBe(unauthorizedMessages.notBearer);
  });
});
