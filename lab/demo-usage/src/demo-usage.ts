import { createDeadline, type Deadline } from '@shopscope/async';
import { type Clock, dayMs, hourMs, systemClock } from '@shopscope/clock';
import type { GrpcClient } from '@shopscope/grpc';
import {
  type KeyActivity,
  type MeteringServiceService,
  type RequestsCompleted,
  ReserveOutcome,
  type Units,
  UsageKind,
  type UsageRecorded,
} from '@shopscope/proto';
import { createActivityReports, type ReportsOf } from './activity-reports.ts';
import { createClocks, DemoUsageError } from './clocks.ts';
import { watchedSinceMs } from './demo-events.ts';
import { loggedRequestsOf } from './logged-requests.ts';
import { type DemoKey, type PlannedCharge, type PlanOptions, planDay } from './plan-day.ts';

/**
 * Makes two weeks of usage that end today. It bills as a gateway does: it calls Reserve and then sends the usage event, the report of
 * the key's activity and the request log.
 *
 * 1. For each past day, the oldest first, the time of metering moves to 23:00 of the day, and the charges of the day are billed.
 * 2. The time of metering is put back.
 * 3. A part of today's charges is billed.
 *
 * - It runs again on the same day -> it bills nothing, because the ids of the charges are derived. On a later day it bills what is missing
 *   of the days up to then.
 * - A run fails or is killed -> the next run continues. The activity and the request log of at most one batch are lost.
 * - A run fails -> it puts the time back. A run is killed -> the time stays moved until metering starts again.
 * - Other usage has exhausted the allowance -> the charge is left out.
 * - Bounds: {@link timeoutMs} for the calls; see plan-day.ts for the charges.
 *
 * Other callers of metering see the moved time too, so nobody else may use it meanwhile.
 */
export interface DemoUsageOptions {
  /** With mutual TLS, the client needs a certificate of a gateway. */
  metering: Pick<GrpcClient<typeof MeteringServiceService>, 'reserve' | 'recordUsage'>;
  /** The admin addresses of all instances of metering, for example http://127.0.0.1:8190. The instances need DEVELOPMENT_CLOCK=true. */
  adminUrls: readonly string[];
  /** Publishes reports on key-activity.v1. Resolves when they are durable. */
  publishActivity(reports: readonly KeyActivity[], timeoutMs: number): Promise<void>;
  /** Publishes the request log on requests.v1. Resolves when it is durable. */
  publishRequests(events: readonly RequestsCompleted[], timeoutMs: number): Promise<void>;
  workspaceId: string;
  keys: readonly DemoKey[];
  /** The allowance that the plan gives the workspace. */
  included: Units;
  /** An instant on the day of the first run, for example the creation time of the workspace. Later runs need the same value. */
  firstRunMs: number;
  seed?: string;
  clock?: Clock;
}

/** The keys of the usage should exist from this instant on. It is before the first usage and the first event of a run at `nowMs`. */
export const usedSinceMs = (nowMs: number): number => watchedSinceMs(nowMs) - 2 * dayMs;

/** The numbers of charges that this run billed, that existed already, and that did not fit into the allowance. */
export interface DemoUsage {
  billed: number;
  existing: number;
  refused: number;
}

const timeoutMs = 10_000;
const days = 14;
/** This hour is later than every planned response, and long before the next day. */
const hourOfBillingMs = 23 * hourMs;
/** This part of today's charges is billed at any time of the day, so that a repeated run adds nothing. */
const partOfToday = 0.4;
const maxBatchSize = 500;

export async function makeDemoUsage(options: DemoUsageOptions): Promise<DemoUsage> {
  const { clock = systemClock, seed = 'demo', adminUrls } = options;
  const deadline = createDeadline(timeoutMs, { clock });
  const clocks = createClocks('metering', adminUrls);
  const nowMs = clock.now();
  const todayMs = dayOf(nowMs);
  const plan: PlanOptions = { ...options, seed, firstRunDayMs: dayOf(options.firstRunMs) };
  const made: DemoUsage = { billed: 0, existing: 0, refused: 0 };
  const run = { made, deadline, reportsOf: createActivityReports() };

  try {
    // Step 1: the past days.
    for (let dayStartMs = todayMs - (days - 1) * dayMs; dayStartMs < todayMs; dayStartMs += dayMs) {
      await clocks.moveTo(dayStartMs + hourOfBillingMs, deadline);
      await bill(options, planDay(plan, dayStartMs), (charge) => dayStartMs + charge.atMs, run);
    }
  } finally {
    // Step 2: the time is put back.
    await clocks.putBack();
  }
  // Step 3: today.
  const charges = options.keys.flatMap(({ keyId }) => {
    const ofKey = planDay(plan, todayMs).filter((charge) => charge.keyId === keyId);
    return ofKey.slice(0, Math.ceil(partOfToday * ofKey.length));
  });
  const occurredAt = ({ atMs }: PlannedCharge) => todayMs + Math.floor((atMs / dayMs) * (nowMs - todayMs));
  await bill(options, charges, occurredAt, run);
  return made;
}

const dayOf = (instantMs: number) => instantMs - (instantMs % dayMs);

async function bill(
  { metering, publishActivity, publishRequests, workspaceId, keys, included }: DemoUsageOptions,
  charges: readonly PlannedCharge[],
  occurredAt: (charge: PlannedCharge) => number,
  { made, deadline, reportsOf }: { made: DemoUsage; deadline: Deadline; reportsOf: ReportsOf },
): Promise<void> {
  for (let start = 0; start < charges.length; start += maxBatchSize) {
    const batch = charges.slice(start, start + maxBatchSize);
    const items = batch.map(({ chargeId, keyId, units }) => ({
      chargeId,
      workspaceId,
      keyId,
      // Without an execution id, a charge whose billing was interrupted gets a new attempt at once.
      executionId: '',
      fingerprint: Buffer.alloc(0),
      units,
      included,
      requestId: '',
    }));
    const { results } = await metering.reserve({ items }, { deadline });
    const events: UsageRecorded[] = [];
    for (const [n, charge] of batch.entries()) {
      const { outcome, attempt = 0, periodStartMs = 0 } = results[n] ?? {};
      if (outcome === ReserveOutcome.ALREADY_SETTLED) made.existing += 1;
      else if (outcome === ReserveOutcome.EXHAUSTED) made.refused += 1;
      else if (outcome !== ReserveOutcome.GRANTED) throw new DemoUsageError('Metering did not decide a charge.');
      else {
        const { chargeId, keyId, units, operation } = charge;
        const event = { chargeId, attempt, workspaceId, keyId, units, periodStartMs, operation };
        events.push({ ...event, kind: UsageKind.CHARGE, occurredAtMs: occurredAt(charge) });
      }
    }
    if (events.length > 0) {
      await metering.recordUsage({ events }, { deadline });
      await publishActivity(reportsOf(events), deadline.timeoutMs());
      await publishRequests(loggedRequestsOf(events, keys), deadline.timeoutMs());
    }
    made.billed += events.length;
  }
}
