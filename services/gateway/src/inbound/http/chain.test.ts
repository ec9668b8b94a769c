import type { AddressInfo } from 'node:net';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { createLogger } from '@shopscope/telemetry';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { operations } from '../../contract/operations.ts';
import type { ServedOperationId } from '../../contract/served.ts';
import type { AdmissionDecision } from '../../domain/admission.ts';
import type { Caller } from '../../domain/caller.ts';
import { unauthorized } from '../../domain/unauthorized.ts';
import { noUnits } from '../../domain/units.ts';
import { indexOperations } from './operation-index.ts';
import { createReportExchange } from './report-exchange.ts';
import type { Route } from './routes/index.ts';
import { createSendReply } from './send-reply.ts';
import { createHttpServer } from './server.ts';

/** The chain with everything behind it played: which of two faults a caller is told of is the contract's order. */
const state = {
  draining: false,
  decision: 'admitted' as AdmissionDecision['outcome'],
  route: 'fine' as 'fine' | 'conflict' | 'exhausted',
};

const caller = (scopes: string[]): Caller => ({
  keyId: 'key_1',
  label: '',
  prefix: '',
  environment: 'live',
  scopes,
  expiresAtMs: undefined,
  workspaceId: 'ws_1',
  workspaceName: '',
  plan: {
    slug: 'growth',
    rpm: 10,
    concurrency: 1,
    enrichBatchMax: 10,
    freshnessDays: 1,
    historyDays: 1,
    included: noUnits,
  },
});

const route: Route = () => {
  if (state.route === 'conflict') throw new AppError('conflict', 'another body');
  if (state.route === 'exhausted')
    throw new AppError('payment_required', 'spent', { details: { reset_at: 'then', unit: 'lookup_cached' } });
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{}') };
};
const routes = Object.fromEntries(operations.map(({ id }) => [id, route])) as Record<ServedOperationId, Route>;
const observed: [string, number][] = [];
let released = 0;

const balances = { put: () => {}, remaining: () => 7 };
const server = createHttpServer({
  clock: systemClock,
  isDraining: () => state.draining,
  authenticateKey: {
    authenticate(token) {
      if (token === 'full') return caller(['read:stores', 'write:scans']);
      if (token === 'reader') return caller(['read:stores']);
      if (token === 'bare') return caller([]);
      throw unauthorized('notActive');
    },
    invalidate: () => {},
    size: 0,
  },
  admit: async () => ({ outcome: state.decision, remaining: 3, resetSeconds: 20, release: () => released++ }),
  routes,
  send: createSendReply({ balances, isDraining: () => state.draining }),
  index: indexOperations(operations),
  readAddress: () => '203.0.113.9',
  report: createReportExchange({
    logger: createLogger({ service: 'test', instance: 'test', level: 'silent' }),
    metrics: { observeRequest: (operation, status) => observed.push([operation, status]) },
    successSample: 0,
  }),
  onParserError: () => {},
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Shot {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Faults in the contract's order of checks: each spoils an otherwise good request. */
const faults: { name: string; code: string; status: number; spoil(shot: Shot): void }[] = [
  {
    name: 'request id',
    code: 'invalid_request',
    status: 400,
    spoil: (shot) => Object.assign(shot.headers, { 'X-Request-Id': 'x' }),
  },
  { name: 'draining', code: 'unavailable', status: 503, spoil: () => Object.assign(state, { draining: true }) },
  {
    name: 'body size',
    code: 'invalid_request',
    status: 413,
    spoil: (shot) => Object.assign(shot, { body: ' '.repeat(262_145) }),
  },
  {
    name: 'key',
    code: 'unauthorized',
    status: 401,
    spoil: (shot) => Object.assign(shot.headers, { Authorization: 'Bearer nobody' }),
  },
  { name: 'rate', code: 'rate_limited', status: 429, spoil: () => Object.assign(state, { decision: 'rate_limited' }) },
  { name: 'route', code: 'not_found', status: 404, spoil: (shot) => Object.assign(shot, { path: '/v1/nowhere' }) },
  {
    name: 'announced route',
    code: 'not_implemented',
    status: 501,
    // Its scope is one that the key does not hold.
    spoil: (shot) => Object.assign(shot, { path: '/v1/lists' }),
  },
  {
    name: 'scope',
    code: 'forbidden_scope',
    status: 403,
    spoil: (shot) => {
      if (shot.headers.Authorization === 'Bearer full') shot.headers.Authorization = 'Bearer bare';
    },
  },
  {
    name: 'validation',
    code: 'invalid_request',
    status: 400,
    spoil: (shot) => Object.assign(shot, { path: `${shot.path}?unknown=1` }),
  },
  { name: 'idempotency', code: 'conflict', status: 409, spoil: () => Object.assign(state, { route: 'conflict' }) },
];

async function shoot(...spoils: ((shot: Shot) => void)[]) {
  Object.assign(state, { draining: false, decision: 'admitted', route: 'fine' });
  const shot: Shot = {
    path: '/v1/stores/enrich',
    headers: { Authorization: 'Bearer full', 'Content-Type': 'application/json' },
    body: '{"domains":[],"refresh":true}',
  };
  for (const spoil of spoils) spoil(shot);
  const response = await fetch(url + shot.path, { method: 'POST', headers: shot.headers, body: shot.body });
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code, headers: response.headers };
}

describe('the chain', () => {
  it('lets a good request through', async () => {
    expect((await shoot()).status).toBe(200);
  });

  it.each(faults)('answers a fault of $name alone with $status $code', async ({ spoil, status, code }) => {
    expect(await shoot(spoil)).toMatchObject({ status, code });
  });

  const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => ({ first, second })));
  it.each(pairs)('of two faults, $first.name is told before $second.name', async ({ first, second }) => {
    // The later one spoils first, so that the earlier one has the last word on what both touch.
    expect(await shoot(second.spoil, first.spoil)).toMatchObject({ status: first.status, code: first.code });
  });

  it.each([
    ['{"domains":[]}', 200],
    ['{"domains":[],"refresh":true}', 403],
    ['{"domains":', 400],
  ])('parses a body once, also for a key whose scopes depend on it (%s)', async (body, status) => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const answer = await shoot((shot) => {
      Object.assign(shot, { body });
      shot.headers.Authorization = 'Bearer reader';
    });
    expect(answer.status).toBe(status);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
  });

  it('tells 503 concurrency_limited in the place of the rate, with Retry-After 1', async () => {
    const { status, code, headers } = await shoot(() => Object.assign(state, { decision: 'concurrency_limited' }));
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'concurrency_limited', '1']);
  });

  it('releases the slot and reports once per request, whatever became of it', async () => {
    released = 0;
    observed.length = 0;
    await shoot();
    await shoot((shot) => Object.assign(shot, { path: '/v1/nowhere' }));
    await shoot((shot) => Object.assign(shot.headers, { Authorization: '' }));
    await expect
      .poll(() => observed)
      .toEqual([
        ['enrichStores', 200],
        ['none', 404],
        ['enrichStores', 401],
      ]);
    expect(released).toBe(2);
  });

  it('gives the slot back when the caller left before it was admitted', async () => {
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<AdmissionDecision>();
    const left = Promise.withResolvers<void>();
    let slots = 1;
    const slow = createHttpServer({
      clock: systemClock,
      isDraining: () => false,
      authenticateKey: { authenticate: () => caller(['read:stores']), invalidate: () => {}, size: 0 },
      admit: () => {
        asked.resolve();
        return decided.promise;
      },
      routes,
      send: createSendReply({ balances, isDraining: () => false }),
      index: indexOperations(operations),
      readAddress: () => '203.0.113.9',
      report: () => left.resolve(),
      onParserError: () => {},
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const port = (slow.address() as AddressInfo).port;
    const leaving = new AbortController();
    const headers = { Authorization: 'Bearer full' };
    const answer = fetch(`http://127.0.0.1:${port}/v1/stores/shop.example`, { headers, signal: leaving.signal });
    const gone = expect(answer).rejects.toThrow();
    await asked.promise;
    leaving.abort();
    await gone;
    await left.promise;
    decided.resolve({ outcome: 'admitted', remaining: 3, resetSeconds: 20, release: () => slots-- });
    await new Promise(setImmediate);
    expect(slots).toBe(0);
    slow.close();
  });

  it('never answers 2xx after the time bound, as when the process stood still', async () => {
    // Time has passed and no timer has run: the process was suspended.
    let suspendedMs = 0;
    const still = createHttpServer({
      clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + suspendedMs },
      isDraining: () => false,
      authenticateKey: { authenticate: () => caller(['read:stores']), invalidate: () => {}, size: 0 },
      admit: async () => ({ outcome: 'admitted', remaining: 3, resetSeconds: 20, release: () => {} }),
      routes: {
        ...routes,
        getStore: () => {
          suspendedMs = 70_000;
          return { status: 200, headers: {}, body: Buffer.from('{}') };
        },
      },
      send: createSendReply({ balances, isDraining: () => false }),
      index: indexOperations(operations),
      readAddress: () => '203.0.113.9',
      report: () => {},
      onParserError: () => {},
    });
    await new Promise<void>((resolve) => still.listen(0, '127.0.0.1', resolve));
    const port = (still.address() as AddressInfo).port;
    await expect(
      fetch(`http://127.0.0.1:${port}/v1/stores/shop.example`, { headers: { Authorization: 'Bearer full' } }),
    ).rejects.toThrow();
    still.close();
  });
});
