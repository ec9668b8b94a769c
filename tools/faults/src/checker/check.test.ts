import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customers } from '../clients/customers.ts';
import { type Attempt, noUnits, type Operation } from '../clients/history.ts';
import { scenarioNamed } from '../faults/index.ts';
import { type CheckOptions, check } from './check.ts';
import type { Databases } from './databases.ts';
import type { Figures } from './figures.ts';
import { promises } from './promises.ts';
import type { Timeline } from './timeline.ts';

let server: Server;
let gatewayUrl: string;
/** What the revoked key is told. */
let accountStatus = 401;
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    response.statusCode = url === '/v1/account' ? accountStatus : 200;
    response.end('{"by_key":[]}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const one = { lookupCached: 1, lookupLive: 0 };
const nobody = { workspaceId: 'ws_1', keys: [] };
const tight = { workspaceId: 'ws_tight', keys: [], included: 1 };
const customers = { main: nobody, revoked: nobody, tight, limited: { ...nobody, rpm: 5 } } as unknown as Customers;
const databases: Databases = {
  charges: async (workspaceId) =>
    workspaceId === 'ws_tight' ? [{ chargeId: 'c', keyId: 'key_1', units: one, counted: 1 }] : [],
  takenOf: async () => 1,
  jobs: async () => [],
  heldLeases: async () => [],
  scans: async () => [],
  longTransactions: async () => new Set(),
  repeatedSequences: async () => 0,
  close: async () => {},
};

function seen(kind: Operation['kind'], startMs: number, attempt: Partial<Attempt>): Operation {
  const whole = { gateway: 0, startMs, endMs: startMs + 10, outcome: 'fail', status: 0, code: '' } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const workspaceId = kind === 'tight' ? 'ws_tight' : 'ws_1';
  return { id: 1, kind, workspaceId, keyId: 'key_1', idempotencyKey: null, mayBill: noUnits, attempts: [made] };
}

/** Figures of a run in which every promise had its chance. */
const exercised = { 'charges counted': 1, 'answered again': 1, jobs: 1, 'leases lost': 1 };

/** A fault of 10 s, 40 s ago, with all the load that shows what may be shown. */
function options(
  more: {
    scenario?: string;
    isShort?: boolean;
    noted?: Figures;
    load?: (operation: Operation) => boolean;
  } & Partial<Timeline>,
) {
  const { scenario = 'scanner-kill', isShort = false, load = () => true, noted = exercised, ...times } = more;
  const nowMs = performance.now();
  // All of it in the middle of one minute.
  const timeline: Timeline = {
    wallOffsetMs: -nowMs + 30_000,
    injectedMs: nowMs - 40_000,
    struckMs: nowMs - 40_000,
    healedMs: nowMs - 30_000,
    recoversFromMs: nowMs - 30_000,
    endedMs: nowMs,
    revokeAskedMs: nowMs - 40_000,
    revokedMs: nowMs - 40_000,
    isKeyKnown: true,
    standing: [],
    blurMs: 100,
    ...times,
  };
  const operations = [
    ...Array.from({ length: 20 }, () => seen('limited', nowMs - 20_000, { status: 429 })),
    seen('revoked', nowMs - 5_000, { status: 401 }),
    seen('tight', nowMs - 20_000, { outcome: 'ok', status: 200, billed: one }),
    seen('tight', nowMs - 20_000, { status: 402 }),
  ].filter(load);
  return {
    scenario: scenarioNamed(scenario),
    operations,
    customers,
    timeline,
    databases,
    gatewayUrls: [gatewayUrl],
    ...{ allowance: { samples: 5, most: 1, problems: [] }, interrupted: [], problems: [], noted },
    isShort,
  } as CheckOptions;
}
const timed = [promises.replies, promises.recovery, promises.revocation, promises.push];
const named = async (more: Parameters<typeof options>[0]) => {
  const { findings, figures } = await check(options(more));
  expect(Object.values(findings).flat()).toEqual([]);
  return { names: Object.keys(findings), unmeasured: figures['promises not measured'] };
};

it('reports every promise that the load gave a chance to break', async () => {
  const { names, unmeasured } = await named({});
  expect(names).toEqual(expect.arrayContaining([...timed, promises.admission, promises.allowance, promises.refusals]));
  expect(unmeasured).toBe(0);
});

it('leaves out what was not asked for often or long enough', async () => {
  const { names } = await named({ load: ({ kind }) => kind === 'tight' });
  for (const absent of [promises.admission, promises.revocation, promises.push]) expect(names).not.toContain(absent);
});

it('leaves out what only time shows when the bench was held up, and says how much that is', async () => {
  const { names, unmeasured } = await named({ blurMs: 600 });
  for (const absent of timed) expect(names).not.toContain(absent);
  expect(unmeasured).toBeGreaterThan(0);
});

it('leaves out the push where the fault harms it, and all bounds of time in the short form', async () => {
  expect((await named({ scenario: 'mongod-kill' })).names).not.toContain(promises.push);
  const { names } = await named({ isShort: true });
  for (const absent of [promises.replies, promises.recovery, promises.push]) expect(names).not.toContain(absent);
});

it('leaves out revocation and push when not every gateway had known the key', async () => {
  const { names, unmeasured } = await named({ isKeyKnown: false });
  for (const absent of [promises.revocation, promises.push]) expect(names).not.toContain(absent);
  expect(unmeasured).toBeGreaterThan(0);
});

it.each([
  ['leases lost', 'job resumes once, lease fenced'],
  ['charges counted', promises.billing],
  ['answered again', promises.executions],
  ['jobs', promises.jobs],
])('leaves out what nothing tried: without %s there is no "%s"', async (figure, promise) => {
  expect((await named({})).names).toContain(promise);
  const { names, unmeasured } = await named({ noted: { ...exercised, [figure]: 0 } });
  expect(names).not.toContain(promise);
  expect(unmeasured).toBeGreaterThan(0);
});

it('the short form shows that a revoked key is refused in the end, and finds one that is let in', async () => {
  const dead = options({ isShort: true, revokedMs: performance.now() - 61_000 });
  expect((await check(dead)).findings[promises.revocation]).toEqual([]);
  accountStatus = 200;
  try {
    expect((await check(dead)).findings[promises.revocation]).toHaveLength(1);
  } finally {
    accountStatus = 401;
  }
});
