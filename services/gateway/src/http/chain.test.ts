import type { AddressInfo } from 'node:net';
import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { noUnits } from '@shopscope/proto';
import { createLogger } from '@shopscope/telemetry';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { announcedOperation, servedBy } from '../../test/served-by.ts';
import type { Caller } from '../keys/caller.ts';
import { unauthorized } from '../keys/unauthorized.ts';
import type { AdmissionDecision } from '../limits/decision.ts';
import { createAccessLog } from '../request-log/access-log.ts';
import { createBodyBudget } from './body/body-budget.ts';
import { indexOperations } from './operation-index.ts';
import { createSendReply } from './reply/send-reply.ts';
import { createWriteBody } from './reply/write-body.ts';
import type { ValidatedRequest } from './request.ts';
import { createHttpServer } from './server.ts';

/** The state of the fakes behind the chain. */
const state = {
  draining: false,
  decision: 'admitted' as AdmissionDecision['outcome'],
  isFarFromLimits: true,
  route: 'fine' as 'fine' | 'conflict' | 'exhausted',
};

const caller = (scopes: string[]): Caller => ({
  keyId: 'key_1',
  keyLabel: '',
  keyPrefix: '',
  keyEnvironment: 'live',
  use: 'api',
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
    quotas: { lists: 1, listStores: 1, watchlists: 1, watchedStores: 1, webhooks: 1 },
  },
});

/** The environments of the handled requests. */
const handled: unknown[] = [];
const handle = ({ origin }: Pick<ValidatedRequest, 'origin'>) => {
  handled.push(origin.environment);
  if (state.route === 'conflict') throw new AppError('conflict', 'another body');
  if (state.route === 'exhausted')
    throw new AppError('payment_required', 'spent', { details: { reset_at: 'then', unit: 'lookup_cached' } });
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{}') };
};
const observed: [string, number][] = [];
let released = 0;

const balances = { put: () => {}, remaining: () => 7 };
const writeStream = async () => {};
const writeBody = createWriteBody({ clock: systemClock, onCut: () => {} });
const anyKey = {
  authenticate: () => caller(['read:stores']),
  invalidate: () => {},
  size: 0,
};
const begun: string[] = [];
const begunIn: unknown[] = [];
const server = createHttpServer({
  clock: systemClock,
  isStopping: () => state.draining,
  authenticateKey: {
    authenticate(token) {
      if (token === 'full') return caller(['read:stores', 'write:scans']);
      if (token === 'reader') return caller(['read:stores']);
      if (token === 'bare') return caller([]);
      if (token === 'tester') return { ...caller(['read:stores']), keyEnvironment: 'test' };
      throw unauthorized('notActive');
    },
    invalidate: () => {},
    size: 0,
  },
  bodyBudget: createBodyBudget(),
  admission: {
    decide: async () => ({ outcome: state.decision, remaining: 3, resetSeconds: 20, release: () => released++ }),
    isFarFromLimits: () => state.isFarFromLimits,
    spentSeconds: () => 0,
  },
  send: createSendReply({ balances, isDraining: () => state.draining, writeBody, writeStream }),
  index: indexOperations(
    servedBy({
      handle,
      async begin({ operation, params, origin }) {
        if (operation.id !== 'getStore') return;
        begun.push((params as { domain: string }).domain);
        begunIn.push(origin.environment);
      },
    }),
  ),
  readAddress: () => '203.0.113.9',
  accessLog: createAccessLog({
    logger: createLogger({ service: 'test', instance: 'test', level: 'silent' }),
    metrics: { observeRequest: ({ operation, status }) => void observed.push([operation, status]) },
    activity: { count: () => {} },
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

interface TestRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Faults in the order in which the contract checks them. Each one breaks a valid request. */
const faults: { name: string; code: string; status: number; apply(request: TestRequest): void }[] = [
  {
    name: 'X-Request-Id',
    code: 'invalid_request',
    status: 400,
    apply: (request) => Object.assign(request.headers, { 'X-Request-Id': 'x' }),
  },
  { name: 'draining', code: 'unavailable', status: 503, apply: () => Object.assign(state, { draining: true }) },
  {
    name: 'body size',
    code: 'invalid_request',
    status: 413,
    apply: (request) => Object.assign(request, { body: ' '.repeat(262_145) }),
  },
  {
    name: 'key',
    code: 'unauthorized',
    status: 401,
    apply: (request) => Object.assign(request.headers, { Authorization: 'Bearer nobody' }),
  },
  { name: 'rate', code: 'rate_limited', status: 429, apply: () => Object.assign(state, { decision: 'rate_limited' }) },
  {
    name: 'route',
    code: 'not_found',
    status: 404,
    apply: (request) => Object.assign(request, { path: '/v1/nowhere' }),
  },
  {
    name: 'announced route',
    code: 'not_implemented',
    status: 501,
    apply: (request) => Object.assign(request, { path: announcedOperation.path }),
  },
  {
    name: 'scope',
    code: 'forbidden_scope',
    status: 403,
    apply: (request) => {
      if (request.headers.Authorization === 'Bearer full') request.headers.Authorization = 'Bearer bare';
    },
  },
  {
    name: 'validation',
    code: 'invalid_request',
    status: 400,
    apply: (request) => Object.assign(request, { path: `${request.path}?unknown=1` }),
  },
  { name: 'idempotency', code: 'conflict', status: 409, apply: () => Object.assign(state, { route: 'conflict' }) },
];

async function sendRequest(...faultsToApply: ((request: TestRequest) => void)[]) {
  Object.assign(state, { draining: false, decision: 'admitted', route: 'fine' });
  const request: TestRequest = {
    path: '/v1/stores/enrich',
    headers: { Authorization: 'Bearer full', 'Content-Type': 'application/json' },
    body: '{"domains":[],"refresh":true}',
  };
  for (const apply of faultsToApply) apply(request);
  const response = await fetch(url + request.path, { method: 'POST', headers: request.headers, body: request.body });
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code, headers: response.headers };
}

describe('the chain of a request', () => {
  it('a valid request passes to its route', async () => {
    expect((await sendRequest()).status).toBe(200);
  });

  it.each(faults)('the chain responds $status $code when only $name is at fault', async ({ apply, status, code }) => {
    expect(await sendRequest(apply)).toMatchObject({ status, code });
  });

  const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => ({ first, second })));
  it.each(pairs)('the chain checks $first.name before $second.name', async ({ first, second }) => {
    for (const isFarFromLimits of [true, false]) {
      Object.assign(state, { isFarFromLimits });
      // The first fault is applied last, because both may change the same part of the request.
      expect(await sendRequest(second.apply, first.apply)).toMatchObject({ status: first.status, code: first.code });
    }
  });

  it('the chain begins to read the store of a valid look-up, and of no other request', async () => {
    begun.length = 0;
    const headers = { Authorization: 'Bearer full' };
    for (const path of ['/v1/stores/shop.example', '/v1/stores/shop.example?unknown=1', '/v1/account', '/v1/nowhere'])
      await fetch(url + path, { headers });
    expect(begun).toEqual(['shop.example']);
  });

  it('all work after the authentication has the environment of the key, and a request without a key has no environment', async () => {
    for (const seen of [handled, begunIn]) seen.length = 0;
    for (const token of ['reader', 'tester'])
      await fetch(`${url}/v1/stores/shop.example`, { headers: { Authorization: `Bearer ${token}` } });
    await fetch(`${url}/v1/health`);
    expect(begunIn).toEqual(['live', 'test']);
    expect(handled).toEqual(['live', 'test', null]);
  });

  it.each([
    ['{"domains":[]}', 200],
    ['{"domains":[],"refresh":true}', 403],
    ['{"domains":', 400],
  ])('the chain parses a body once, even when the required scope depends on the body (%s)', async (body, status) => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const response = await sendRequest((request) => {
      Object.assign(request, { body });
      request.headers.Authorization = 'Bearer reader';
    });
    expect(response.status).toBe(status);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
  });

  it('a request is 503 concurrency_limited with Retry-After 1 when all slots of the key are in use', async () => {
    const { status, code, headers } = await sendRequest(() =>
      Object.assign(state, { decision: 'concurrency_limited' }),
    );
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'concurrency_limited', '1']);
  });

  it('a request releases its slot and is logged once, for every outcome', async () => {
    released = 0;
    observed.length = 0;
    await sendRequest();
    await sendRequest((request) => Object.assign(request, { path: '/v1/nowhere' }));
    await sendRequest((request) => Object.assign(request.headers, { Authorization: '' }));
    await expect
      .poll(() => observed)
      .toEqual([
        ['enrichStores', 200],
        ['none', 404],
        ['enrichStores', 401],
      ]);
    expect(released).toBe(2);
  });

  it('a request releases its slot when the caller disconnected before the decision of its admission', async () => {
    const admitCalled = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<AdmissionDecision>();
    const disconnected = Promise.withResolvers<void>();
    let slots = 1;
    const slow = createHttpServer({
      clock: systemClock,
      isStopping: () => false,
      authenticateKey: anyKey,
      bodyBudget: createBodyBudget(),
      admission: {
        decide() {
          admitCalled.resolve();
          return decided.promise;
        },
        isFarFromLimits: () => true,
        spentSeconds: () => 0,
      },
      send: createSendReply({ balances, isDraining: () => false, writeBody, writeStream }),
      index: indexOperations(servedBy({ handle })),
      readAddress: () => '203.0.113.9',
      accessLog: () => disconnected.resolve(),
      onParserError: () => {},
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const port = (slow.address() as AddressInfo).port;
    const abort = new AbortController();
    const headers = { Authorization: 'Bearer full' };
    const response = fetch(`http://127.0.0.1:${port}/v1/stores/shop.example`, { headers, signal: abort.signal });
    const aborted = expect(response).rejects.toThrow();
    await admitCalled.promise;
    abort.abort();
    await aborted;
    await disconnected.promise;
    decided.resolve({ outcome: 'admitted', remaining: 3, resetSeconds: 20, release: () => slots-- });
    await new Promise(setImmediate);
    expect(slots).toBe(0);
    slow.close();
  });

  it('a request is sent no 2xx after its time limit, even when the process was suspended', async () => {
    // Time passes without timers: the process was suspended.
    let suspendedMs = 0;
    const suspended = createHttpServer({
      clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + suspendedMs },
      isStopping: () => false,
      authenticateKey: anyKey,
      bodyBudget: createBodyBudget(),
      admission: {
        decide: async () => ({ outcome: 'admitted', remaining: 3, resetSeconds: 20, release: () => {} }),
        isFarFromLimits: () => true,
        spentSeconds: () => 0,
      },
      send: createSendReply({ balances, isDraining: () => false, writeBody, writeStream }),
      index: indexOperations(
        servedBy({
          handle() {
            suspendedMs = 70_000;
            return { status: 200, headers: {}, body: Buffer.from('{}') };
          },
        }),
      ),
      readAddress: () => '203.0.113.9',
      accessLog: () => {},
      onParserError: () => {},
    });
    await new Promise<void>((resolve) => suspended.listen(0, '127.0.0.1', resolve));
    const port = (suspended.address() as AddressInfo).port;
    await expect(
      fetch(`http://127.0.0.1:${port}/v1/stores/shop.example`, { headers: { Authorization: 'Bearer full' } }),
    ).rejects.toThrow();
    suspended.close();
  });
});
