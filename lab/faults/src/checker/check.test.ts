import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customers } from '../clients/customers.ts';
import { type Attempt, noUnits, type Operation } from '../clients/history.ts';
import { scenarioNamed } from '../faults/index.ts';
import { type CheckOptions, check } from './check.ts';
import type { Databases, LeaseRecord } from './databases.ts';
import type { Figures } from './figures.ts';
import { promises } from './promises.ts';
import { notUsed } from './reconciliation.ts';
import type { Timeline } from './timeline.ts';

let server: Server;
let gatewayUrl: string;
/** Status of the response to the revoked key. */
let accountStatus = 401;
beforeAll(async () => {
  server = createServer(({ headers: { authorization } }, response) => {
    response.statusCode = authorization === 'Bearer revoked' ? accountStatus : 200;
    const used = { lookup_cached: authorization === 'Bearer tight' ? 1 : 0 };
    response.end(JSON.stringify({ by_key: [{ key_id: 'key_1', used }], period: { used } }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const one = { lookupCached: 1, lookupLive: 0 };
const noKeys = { workspaceId: 'ws_1', keys: [] };
const smallAllowance = { workspaceId: 'ws_tight', keys: [{ id: 'key_1', secret: 'tight' }], included: 1 };
const customers = {
  main: noKeys,
  revoked: { ...noKeys, keys: [{ id: 'key_2', secret: 'revoked' }] },
  smallAllowance,
  rateLimited: { ...noKeys, rpm: 5 },
  crowd: [],
} as unknown as Customers;
let leases: LeaseRecord[] = [];
let taken = { lookupCached: 1, historyQuery: 0 };
const databases: Databases = {
  charges: async (workspaceId) =>
    workspaceId === 'ws_tight' ? [{ chargeId: 'lse_1-0', keyId: 'key_1', units: one, counted: 1 }] : [],
  refunds: async () => [],
  allowancesOf: async () => new Map([['ws_tight', { taken, leases }]]),
  usedBy: async () => new Map([['ws_tight', { lookupCached: 1, historyQuery: 0 }]]),
  holders: async () => [{ chargeId: 'lse_1-0', sinceMs: 0 }],
  jobs: async () => [],
  heldLeases: async () => [],
  scans: async () => [],
  longTransactions: async () => new Set(),
  repeatedSequences: async () => 0,
  hurryRescans: async () => {},
  hasUnfinishedRescans: async () => false,
  close: async () => {},
};

function seen(kind: Operation['kind'], startMs: number, attempt: Partial<Attempt>): Operation {
  const whole = {
    gateway: 0,
    startMs,
    endMs: startMs + 10,
    wallOffsetMs: 30_000 - startMs,
    outcome: 'fail',
    status: 0,
    code: '',
    retryAfterS: null,
  } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const workspaceId = kind === 'small-allowance' ? 'ws_tight' : 'ws_1';
  return { id: 1, kind, workspaceId, keyId: 'key_1', idempotencyKey: null, mayBill: noUnits, attempts: [made] };
}

/** Figures of a run that could have broken every promise. */
const exercised = { 'charges counted': 1, 'answered again': 1, jobs: 1, 'leases lost': 1 };

/** A fault that began 40 s ago and lasted 10 s, with enough load to measure every promise. */
function options(
  more: {
    scenario?: string;
    isShort?: boolean;
    scenarioFigures?: Figures;
    load?: (operation: Operation) => boolean;
  } & Partial<Timeline>,
) {
  const { scenario = 'scanner-kill', isShort = false, load = () => true, scenarioFigures = exercised, ...times } = more;
  const nowMs = performance.now();
  // All of it in the middle of one minute.
  const timeline: Timeline = {
    wallOffsetMs: -nowMs + 30_000,
    injectionStartMs: nowMs - 40_000,
    faultStartMs: nowMs - 40_000,
    healedMs: nowMs - 30_000,
    recoveryStartMs: nowMs - 30_000,
    endedMs: nowMs,
    revokeRequestedMs: nowMs - 40_000,
    revokedMs: nowMs - 40_000,
    isKeyCached: true,
    suspensions: [],
    maxLoopDelayMs: 100,
    ...times,
  };
  const operations = [
    ...Array.from({ length: 20 }, () => seen('rate-limited', nowMs - 20_000, { status: 429 })),
    seen('revoked', nowMs - 5_000, { status: 401 }),
    seen('small-allowance', nowMs - 20_000, { outcome: 'ok', status: 200, billed: one }),
    seen('small-allowance', nowMs - 20_000, { status: 402 }),
  ].filter(load);
  return {
    scenario: scenarioNamed(scenario),
    operations,
    customers,
    timeline,
    databases,
    gatewayUrls: [gatewayUrl],
    allowance: { samples: 5, most: 1, mostStranded: 0, problems: [], lent: [] },
    scansInProgress: [],
    problems: [],
    billingProblems: [],
    scenarioFigures,
    localDecisions: 0,
    sellOut: async () => true,
    isShort,
  } as CheckOptions;
}
const timed = [promises.replies, promises.recovery, promises.revocation, promises.push];
const named = async (more: Parameters<typeof options>[0]) => {
  const { findings, figures } = await check(options(more));
  expect(Object.values(findings).flat()).toEqual([]);
  return { names: Object.keys(findings), unmeasured: figures['promises not measured'] };
};

it('the findings have every promise that the load could have broken', async () => {
  const { names, unmeasured } = await named({});
  expect(names).toEqual(expect.arrayContaining([...timed, promises.admission, promises.allowance, promises.refusals]));
  expect(unmeasured).toBe(0);
});

it('the findings have each difference between billed responses and the ledger under the promise on billing', async () => {
  const { findings } = await check({ ...options({}), billingProblems: ['the ledger has one unit more'] });
  expect(findings[promises.billing]).toEqual(['the ledger has one unit more']);
});

it('the findings leave out promises that had too few requests or too short a load', async () => {
  const { names } = await named({ load: ({ kind }) => kind === 'small-allowance' });
  for (const absent of [promises.admission, promises.revocation, promises.push]) expect(names).not.toContain(absent);
});

it('the findings leave out time bounds when the bench itself was delayed, and a figure counts the promises not measured', async () => {
  const { names, unmeasured } = await named({ maxLoopDelayMs: 600 });
  for (const absent of timed) expect(names).not.toContain(absent);
  expect(unmeasured).toBeGreaterThan(0);
});

it('the findings leave out the push when the fault affects it, and all time bounds in the short form', async () => {
  expect((await named({ scenario: 'mongod-kill' })).names).not.toContain(promises.push);
  const { names } = await named({ isShort: true });
  for (const absent of [promises.replies, promises.recovery, promises.push]) expect(names).not.toContain(absent);
});

it('the findings leave out revocation and push unless every gateway had the key in its cache', async () => {
  const { names, unmeasured } = await named({ isKeyCached: false });
  for (const absent of [promises.revocation, promises.push]) expect(names).not.toContain(absent);
  expect(unmeasured).toBeGreaterThan(0);
});

it.each([
  ['leases lost', 'job resumes once, lease fenced'],
  ['charges counted', promises.billing],
  ['answered again', promises.executions],
  ['jobs', promises.jobs],
])('the figure "%s" at 0 makes the findings leave out the promise "%s"', async (figure, promise) => {
  expect((await named({})).names).toContain(promise);
  const { names, unmeasured } = await named({ scenarioFigures: { ...exercised, [figure]: 0 } });
  expect(names).not.toContain(promise);
  expect(unmeasured).toBeGreaterThan(0);
});

it('the short form checks that a revoked key is eventually refused, and reports a key that is accepted', async () => {
  const dead = options({ isShort: true, revokedMs: performance.now() - 61_000 });
  expect((await check(dead)).findings[promises.revocation]).toEqual([]);
  accountStatus = 200;
  try {
    expect((await check(dead)).findings[promises.revocation]).toHaveLength(1);
  } finally {
    accountStatus = 401;
  }
});

it('the promise on returned units is broken by a lease from before the end of the fault that holds units 90 s after the fault', async () => {
  const lost = options({ healedMs: performance.now() - 91_000 });
  const lease = { openedAtMs: Number.NEGATIVE_INFINITY, endsAtMs: 0, granted: 2, spent: 0, settled: 1 };
  leases = [
    { id: 'lse_2', unit: 'lookupCached', ...lease },
    { id: 'lse_3', unit: 'historyQuery', ...lease },
  ];
  try {
    expect((await check(lost)).findings[promises.returned]).toEqual([
      'ws_tight: lease lse_2 holds 1 units of lookupCached',
      'ws_tight: lease lse_3 holds 1 units of historyQuery',
    ]);
  } finally {
    leases = [];
  }
});

it('units of any kind that are taken and not in the ledger count as not given back', async () => {
  expect(await notUsed({ customers, databases })).toEqual([]);
  taken = { lookupCached: 1, historyQuery: 2 };
  try {
    expect(await notUsed({ customers, databases })).toEqual([
      'ws_tight: 2 units of historyQuery are taken, and 0 are used',
    ]);
  } finally {
    taken = { lookupCached: 1, historyQuery: 0 };
  }
});

it('a small allowance that the demand after the fault does not exhaust breaks the promise on what is sold', async () => {
  const { findings } = await check({ ...options({}), sellOut: async () => false });
  expect(findings[promises.sold]).toHaveLength(1);
});
