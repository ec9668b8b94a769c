import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeadline } from '@shopscope/async';
import { ManualClock, systemClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { connectMongo, ensureCollections, type Mongo } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { LeaseOutcome, unitsOf } from '@shopscope/proto';
import { Registry } from '@shopscope/telemetry';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterAll, expect, it } from 'vitest';
import { createDependencies } from '../../src/create-dependencies.ts';
import { allowanceKey } from '../../src/domain/fold.ts';
import { keepMs, maxClockDifferenceMs } from '../../src/domain/lease.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { allRead, currentPeriodMs, newWorkspace, noon, origin } from './harness.ts';
import { missingForTwoClocks, startTwoClocks, type TwoClocks } from './two-clocks.ts';

const unit = 'lookupCached';
const included = 160;
/** The time until the answer of a command, so that it does not count. */
const slackMs = 1_000;

const stateDir = mkdtempSync(join(tmpdir(), 'two-clocks-'));
let cluster: TwoClocks | undefined;
let mongo: Mongo | undefined;
afterAll(async () => {
  await mongo?.close();
  await cluster?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/** The instants of the leases of an allowance in relation to the clock of the present primary. */
interface Instants {
  id: string;
  isEnded: boolean;
  ageMs: number;
  sinceEndMs: number;
}

it('leases stay exact when the primary changes to a member whose clock is 30 s ahead, and back', {
  tags: ['nightly'],
}, async ({ skip }) => {
  const missing = missingForTwoClocks();
  skip(missing !== undefined, missing);
  cluster = await startTwoClocks(stateDir, maxClockDifferenceMs);
  const { logger, registry } = silentTelemetry();
  const options = { url: cluster.url, database: 'metering', appName: 'test', poolSize: 20, logger, registry };
  const connected = await connectMongo(options);
  mongo = connected;
  await ensureCollections(connected.db, collections);
  // The clock of the instance only selects candidates. It is far ahead, so that MongoDB's time alone decides.
  const clock = new ManualClock(noon);
  const { live: deps } = createDependencies({
    mongo: connected,
    outbox: createOutbox(connected.db),
    clock,
    logger,
    metrics: { live: createMetrics(registry), test: createMetrics(new Registry()) },
    reservationTtlMs: 60_000,
    positions: { live: allRead, test: allRead },
  });
  const periodStartMs = currentPeriodMs(clock);
  const closer = createLeaseCloser(deps, allRead);
  const deadline = () => createDeadline(10_000);
  const newLease = () => ({ id: newId('lse'), workspaceId: newWorkspace() });
  type Lease = ReturnType<typeof newLease>;

  const call = async (lease: Lease, number: number, amounts: { wanted: number; spent: number }, sentAtMs: number) => {
    const named = { workspaceId: lease.workspaceId, leaseId: lease.id, unit } as const;
    const isFinal = amounts.wanted === amounts.spent;
    const ask = { ...named, ...amounts, call: number, isFinal, sentAtMs, included: unitsOf({ [unit]: included }) };
    const period = number === 1 ? 0 : periodStartMs;
    const [grant] = await leaseAllowance(deps, 'gw_1', [{ ...ask, periodStartMs: period }], { deadline: deadline() });
    return grant?.outcome === LeaseOutcome.GRANTED ? grant.granted : 'direct';
  };
  const record = (lease: Lease, n: number) => {
    const charge = { chargeId: `${lease.id}-${n}`, attempt: 1, workspaceId: lease.workspaceId, keyId: 'key_a' };
    const paid = { units: unitsOf({ [unit]: 1 }), periodStartMs, leaseId: lease.id, operation: 'test' };
    const event = { ...charge, ...paid, kind: 'count' as const, occurredAtMs: systemClock.now() };
    return recordUsage(deps, [event], deadline());
  };
  const instantsOf = async ({ id, workspaceId }: Lease): Promise<Instants | undefined> => {
    const instants = {
      id: '$leases.id',
      isEnded: '$leases.isEnded',
      ageMs: { $subtract: ['$$NOW', '$leases.openedAt'] },
      sinceEndMs: { $subtract: ['$$NOW', '$leases.endsAt'] },
    };
    const [found] = await connected.db
      .collection<{ _id: string }>('allowances')
      .aggregate<Instants>([
        { $match: { _id: allowanceKey(workspaceId, periodStartMs) } },
        { $unwind: '$leases' },
        { $match: { 'leases.id': id } },
        { $project: { _id: 0, ...instants } },
      ])
      .toArray();
    return found;
  };
  /** The time since the end of a lease when it was first seen as marked, by the clock of the primary of that moment. */
  const markedAfterMs = new Map<string, number>();
  const closeUntil = (what: string, { workspaceId, id }: Lease, done: (lease: Instants | undefined) => boolean) =>
    waitUntil(what, async () => {
      await closer.tick();
      const found = await instantsOf({ workspaceId, id });
      if (found?.isEnded && !markedAfterMs.has(id)) markedAfterMs.set(id, found.sinceEndMs);
      return done(found);
    });
  const expectExact = async ({ workspaceId }: Lease, used: number) => {
    const { balance } = await getUsage(deps, workspaceId, { origin, deadline: deadline() });
    expect([balance.used[unit], balance.reserved[unit]]).toEqual([used, 0]);
    expect(await reconcilePeriods(deps, [{ workspaceId, periodStartMs }])).toBe(0);
  };

  // One gateway ends its lease. The other one spends a unit at the end of its lease, and does not call again.
  const [ended, silent] = [newLease(), newLease()];
  const sentAtMs = systemClock.now();
  expect(await call(ended, 1, { wanted: 2, spent: 0 }, sentAtMs)).toBe(2);
  await record(ended, 0);
  expect(await call(ended, 2, { wanted: 1, spent: 1 }, systemClock.now())).toBe('direct');
  expect(await call(silent, 1, { wanted: 4, spent: 0 }, systemClock.now())).toBe(4);
  await waitUntil('the end of the lease', async () => ((await instantsOf(silent))?.sinceEndMs ?? 0) >= 0);

  await cluster.makePrimary('ahead');
  const jumped = await waitUntil('the new primary', () => instantsOf(silent));
  expect(jumped.sinceEndMs).toBeGreaterThanOrEqual(maxClockDifferenceMs);
  // The request of the last unit has its event in usage.v1 until 10.5 s after the end of the lease.
  const arrivalMs = maxClockDifferenceMs + 10_500;
  await closeUntil('the last event', silent, (lease) => (lease?.sinceEndMs ?? arrivalMs) >= arrivalMs - slackMs);
  expect((await record(silent, 0)).size).toBe(0);
  expect(markedAfterMs.get(silent.id) ?? arrivalMs).toBeGreaterThanOrEqual(arrivalMs);

  await cluster.makePrimary('right');
  await waitUntil('the first primary', () => connected.ping().then(() => true));
  // The first call is young for this primary. The lease exists, because no primary has removed it before it is old for every primary.
  expect(await call(ended, 1, { wanted: 2, spent: 0 }, sentAtMs)).toBe('direct');
  const repeated = await instantsOf(ended);
  if (repeated) expect(repeated.ageMs).toBeLessThan(keepMs + slackMs);
  await expectExact(ended, 1);
  for (const lease of [ended, silent]) await closeUntil('the removal', lease, (found) => found === undefined);
  await expectExact(ended, 1);
  await expectExact(silent, 1);
});
