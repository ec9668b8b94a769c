import { ManualClock } from '@shopscope/clock';
import type { AppError } from '@shopscope/errors';
import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../endpoints/endpoints.ts';
import type { Caller } from '../../keys/caller.ts';
import { errorReply } from '../reply/error-reply.ts';
import { refuseFaultDomain } from './refuse-fault-domain.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 15));
const callerOf = (keyEnvironment: 'live' | 'test') =>
  ({
    keyEnvironment,
    workspaceId: 'ws_1',
    plan: { rpm: 600, included: unitsOf({ lookupCached: 1_000, historyQuery: 50, refreshRequested: 25 }) },
  }) as Caller;

/** Every operation that looks a store up, with the unit that it bills first. */
const lookUps = {
  enrichStores: { unit: 'lookup_cached', included: '1,000' },
  getStore: { unit: 'lookup_cached', included: '1,000' },
  getStoreHistory: { unit: 'history_query', included: '50' },
  requestScan: { unit: 'refresh_requested', included: '25' },
} as const;

function errorOf(id: string, domain: string, environment: 'live' | 'test'): AppError | undefined {
  const operation = endpoints.find((endpoint) => endpoint.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const input = { params: { domain }, body: { domains: ['matched.test', domain] } };
  try {
    refuseFaultDomain({ clock }, { operation, caller: callerOf(environment), ...input });
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

describe.each(Object.entries(lookUps))('a request of %s', (id, { unit, included }) => {
  it.each([
    ['limited.test', 429, 'rate_limited', { retry_after: 1 }],
    ['https://www.busy.test/shop', 503, 'unavailable', { retry_after: 1 }],
    ['ERROR.test', 500, 'internal', {}],
    ['exhausted.test', 402, 'payment_required', { reset_at: '2026-02-01T00:00:00.000Z', unit }],
  ])(
    'with a test key and the domain %s fails with %i, which is no fault of the service',
    (domain, status, code, details) => {
      const error = errorOf(id, domain, 'test');
      expect(error).toMatchObject({ status, code, details });
      expect(error?.fault).not.toBe('service');
      expect(errorOf(id, domain, 'live')).toBeUndefined();
    },
  );

  it('with the domain exhausted.test says which unit is spent, as a real refusal does', () => {
    const text = `This request needs 1 ${unit}; none are left of ${included} until 2026-02-01T00:00:00.000Z.`;
    const error = errorOf(id, 'exhausted.test', 'test') as AppError;
    expect(error.publicMessage).toBe(text);
    const { usageRemaining } = errorReply(error, 'req_1');
    expect(usageRemaining, 'X-Usage-Remaining').toBe(unit === 'lookup_cached' ? 0 : undefined);
  });

  it('with other domains goes on', () => {
    for (const domain of ['matched.test', 'shop.example', '127.0.0.1', 'not-limited.test']) {
      expect(errorOf(id, domain, 'test')).toBeUndefined();
    }
  });
});

it('every operation that has a domain in its path or domains in its body and bills says what it looks up', () => {
  const billed = endpoints.filter(
    ({ billing, params, body }) =>
      billing.units.length > 0 && (params?.shape.domain !== undefined || body?.shape.domains !== undefined),
  );
  expect(
    billed
      .filter(({ lookedUp }) => lookedUp)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(lookUps).sort());
  expect(billed.map(({ id }) => id).sort()).toEqual(Object.keys(lookUps).sort());
});

it.each([
  ['{ store(domain: "exhausted.test") { match } }', 'lookup_cached'],
  ['{ history(domain: "exhausted.test", first: 1) { edges { cursor } } }', 'history_query'],
])('the document %s with a test key says that %s is spent', (query, unit) => {
  const endpoint = endpoints.find(({ id }) => id === 'graphql');
  const caller = { ...callerOf('test'), scopes: ['read:stores', 'read:signals'] };
  const handle = () => endpoint?.bind({ clock } as never).handle({ body: { query }, caller } as never);
  expect(handle).toThrow(`This request needs 1 ${unit}; none are left`);
});
