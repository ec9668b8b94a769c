import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { ClaimOutcome, noUnits, ReserveOutcome, unitsOf } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { type EnrichRequest, enrichStores } from './enrich-stores.ts';

function setUp(outcome: ReserveOutcome = ReserveOutcome.GRANTED, created = true) {
  const clock = new ManualClock();
  const steps: string[] = [];
  const claimed: unknown[] = [];
  const step = (name: string) => async () => {
    steps.push(name);
  };
  const deps = {
    clock,
    profiles: {
      lookUpMany: async (domains: readonly string[]) =>
        domains.map((domain) =>
          domain === 'known.example'
            ? { body: Buffer.from('{}'), etag: '"1"', lastCompletedScanAtMs: clock.now() }
            : undefined,
        ),
    },
    scheduler: {
      async claimScans({ domains, ...charge }: { domains: string[] }) {
        claimed.push(charge);
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
  const enrich = (beforeEvent: NonNullable<EnrichRequest['beforeEvent']>) =>
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
    });
  return { steps, claimed, enrich };
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
