import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { ClaimOutcome, noUnits, ReserveOutcome, unitsOf } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { type EnrichRequest, enrichStores } from './enrich-stores.ts';

function setUp(outcome: ReserveOutcome = ReserveOutcome.GRANTED, created = true) {
  const clock = new ManualClock();
  const steps: string[] = [];
  const claimed: unknown[] = [];
  const claimedDomains: string[] = [];
  const lookedUp: unknown[] = [];
  const step = (name: string) => async () => {
    steps.push(name);
  };
  const deps = {
    clock,
    profiles: {
      lookUpMany: async (domains: readonly string[], _: unknown, __: unknown, workspaceId: string) => {
        lookedUp.push([workspaceId, ...domains]);
        return domains.map((domain) =>
          domain === 'known.example'
            ? { body: Buffer.from('{}'), etag: '"1"', lastCompletedScanAtMs: clock.now() }
            : undefined,
        );
      },
    },
    scheduler: {
      async claimScans({ domains, ...charge }: { domains: string[] }) {
        claimed.push(charge);
        claimedDomains.push(...domains);
        const outcome = ClaimOutcome.CLAIMED;
        return domains.map((domain) => ({ jobId: `job_${domain}`, outcome, created, claimedAtMs: 1 }));
      },
      releaseClaims: step('release'),
    },
    events: { publishUsage: step('usage'), publishScans: step('scans') },
    metering: {
      reserve: async () => ({
        outcome,
        attempt: 3,
        units: unitsOf({ lookupCached: 1, lookupLive: 1 }),
        periodStartMs: 0,
      }),
      voidCharge: async () => ({ counts: false }),
    },
    leases: { charge: async () => undefined },
    balances: { put: () => {} },
    onCharge: () => {},
  } as unknown as Parameters<typeof enrichStores>[0];
  const enrich = (beforeEvent: NonNullable<EnrichRequest['beforeEvent']>, over: Partial<EnrichRequest> = {}) =>
    enrichStores(deps, {
      operation: 'enrichList',
      inputs: ['known.example', 'unknown.example'],
      refresh: true,
      chargeId: 'chg_1',
      fingerprint: Buffer.from('step'),
      isPermanent: true,
      caller: { workspaceId: 'ws_1', keyId: 'key_1', plan: { freshnessDays: 3, included: noUnits } },
      origin: { requestId: '', traceparent: '', environment: 'live' },
      deadline: createRequestDeadline(clock),
      billing: new RequestBilling(),
      beforeEvent,
      ...over,
    });
  return { steps, claimed, claimedDomains, lookedUp, enrich };
}

it('the results are handed over after Reserve, before scans are requested and the usage event is published', async () => {
  const { steps, enrich } = setUp();
  const { billed } = await enrich(async ({ results, units, attempt }) => {
    steps.push('store');
    expect(results.map(({ match, scanJobId }) => [match, scanJobId])).toEqual([
      ['matched', undefined],
      ['no_match', 'job_unknown.example'],
    ]);
    expect(units).toEqual(unitsOf({ lookupCached: 1, lookupLive: 1 }));
    expect(attempt).toEqual({ number: 3, isSettled: false });
  });
  expect(steps).toEqual(['store', 'scans', 'usage']);
  expect(billed).toEqual(unitsOf({ lookupCached: 1, lookupLive: 1 }));
});

it('results that cannot be stored are not billed, and their scans are not requested', async () => {
  const { steps, enrich } = setUp();
  const failed = new Error('the database is unavailable');
  await expect(enrich(() => Promise.reject(failed))).rejects.toBe(failed);
  expect(steps).toEqual(['release']);
});

it('an execution whose charge was settled before hands over the settled attempt, and publishes no further usage event', async () => {
  const { steps, enrich } = setUp(ReserveOutcome.ALREADY_SETTLED, false);
  const { results } = await enrich(async ({ attempt }) => {
    steps.push('store');
    expect(attempt).toEqual({ number: 3, isSettled: true });
  });
  expect(steps).toEqual(['store', 'scans']);
  expect(results[1]?.scanJobId).toBe('job_unknown.example');
});

it('an execution whose charge was settled before requests no scan for a claim that it has created, and releases the claim', async () => {
  const { steps, enrich } = setUp(ReserveOutcome.ALREADY_SETTLED);
  const { results, billed } = await enrich(async () => {});
  expect(steps).toEqual(['release']);
  expect(results[1]?.scanJobId).toBeUndefined();
  expect(billed).toEqual(unitsOf({ lookupCached: 1, lookupLive: 1 }));
});

it('the scans of a permanent charge are claimed as those of a permanent charge', async () => {
  const { claimed, enrich } = setUp();
  await enrich(async () => {});
  expect(claimed).toMatchObject([{ chargeId: 'chg_1', isPermanent: true }]);
});

const originIn = (environment: 'live' | 'test') => ({ requestId: '', traceparent: '', environment });

it.each([
  ['live', 'unknown.example', 'matched.test'],
  ['test', 'unknown.test', 'unknown.example'],
] as const)(
  'a %s request scans no domain that belongs to the other environment, and answers that it is unknown',
  async (environment, own, other) => {
    const { claimedDomains, lookedUp, enrich } = setUp();
    const { results } = await enrich(async () => {}, { origin: originIn(environment), inputs: [own, other] });
    expect(results.map(({ match, scanJobId }) => [match, scanJobId])).toEqual([
      ['no_match', `job_${own}`],
      ['no_match', undefined],
    ]);
    expect(claimedDomains).toEqual([own]);
    expect(lookedUp).toEqual([['ws_1', own, other]]);
  },
);

it('a test store that stands for a fault of requests gets an error with its reason, and is neither looked up, scanned nor billed', async () => {
  const { claimedDomains, lookedUp, enrich } = setUp();
  const faults = ['limited.test', 'exhausted.test', 'busy.test', 'error.test'];
  const { results } = await enrich(async () => {}, { origin: originIn('test'), inputs: [...faults, 'unknown.test'] });
  expect(results.map(({ match, reason, scanJobId }) => [match, reason, scanJobId])).toEqual([
    ['error', 'rate_limited', undefined],
    ['error', 'allowance_exhausted', undefined],
    ['error', 'unavailable', undefined],
    ['error', 'internal', undefined],
    ['no_match', 'not_in_corpus', 'job_unknown.test'],
  ]);
  expect(claimedDomains).toEqual(['unknown.test']);
  expect(lookedUp).toEqual([['ws_1', 'unknown.test']]);
});

it('a live request answers the names of these test stores as any unknown domain', async () => {
  const { claimedDomains, enrich } = setUp();
  const { results } = await enrich(async () => {}, { inputs: ['limited.test', 'error.test'] });
  expect(results.map(({ match, reason }) => [match, reason])).toEqual([
    ['no_match', 'not_in_corpus'],
    ['no_match', 'not_in_corpus'],
  ]);
  expect(claimedDomains).toEqual([]);
});
