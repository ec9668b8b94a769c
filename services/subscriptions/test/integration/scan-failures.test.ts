import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { MergeOutcome, ProfileUpdated, ScanJobEnded, ScanJobEndState } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profileUpdatedSubscription } from '../../src/inbound/kafka/profile-updated.ts';
import { scanJobEndedSubscription } from '../../src/inbound/kafka/scan-job-ended.ts';
import { newWorkspaceId } from './harness.ts';
import { origin, type RescanHarness, startRescanHarness } from './rescan-harness.ts';

describe('failures of scans', () => {
  const namespace = testNamespace('scan-failures');
  // A time to come, because MongoDB deletes failures by its own clock.
  const start = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1);
  const domain = 'shop-000000.example';
  let harness: RescanHarness;
  beforeAll(async () => {
    harness = await startRescanHarness(namespace, start);
  });
  beforeEach(() => harness.reset(start));
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });
  const received = <T>(event: T) => ({ event, meta: { ...origin, eventId: newId('evt') } }) as never;

  /** An explicit scan of a workspace that does not watch the store has failed. */
  async function fail(errorCode: string, { scanId = newId('scan'), agoMs = 0 } = {}) {
    const end = { state: ScanJobEndState.FAILED, errorCode, errorMessage: 'Failed.', domain, scanId };
    const ids = { jobId: newId('job'), workspaceId: newWorkspaceId() };
    const event = ScanJobEnded.fromPartial({ ...end, ...ids, endedAtMs: harness.clock.now() - agoMs });
    await scanJobEndedSubscription(harness.deps).handle([received(event)]);
    return event;
  }
  async function merge(outcome: MergeOutcome = MergeOutcome.MERGED) {
    const update = { domain, scanId: newId('scan'), outcome, completedAtMs: harness.clock.now() };
    const subscription = profileUpdatedSubscription(harness.deps, { onQueued: () => {} });
    await subscription.handle([received(ProfileUpdated.fromPartial(update))]);
  }
  /** Whether the turn of a watched store becomes a rescan. */
  async function isAsked(): Promise<boolean> {
    const watched = await harness.watch(1);
    await harness.pass(13 * hourMs);
    const isBilled = harness.peers.billed(watched.workspaceId) === 1;
    expect((await watched.get()).rescans.turn).toBe(1);
    return isBilled;
  }
  const inTurn = async (...steps: (() => Promise<unknown>)[]) => {
    for (const step of steps) {
      harness.clock.advance(minuteMs);
      await step();
    }
  };

  it('three explicit scans of other workspaces that failed for one reason let a watched store rest for 30 days', async () => {
    await inTurn(
      () => fail('timeout'),
      () => fail('timeout'),
      () => fail('timeout'),
    );
    expect(await isAsked()).toBe(false);
    harness.clock.advance(30 * dayMs);
    expect(await isAsked()).toBe(true);
  });

  it('a store with two failures for one reason and one for another is asked', async () => {
    await inTurn(
      () => fail('timeout'),
      () => fail('timeout'),
      () => fail('forbidden'),
    );
    expect(await isAsked()).toBe(true);
  });

  it('the jobs of several workspaces that waited for one scan are one failure, also if they end at different times', async () => {
    const scanId = newId('scan');
    await inTurn(
      () => fail('expired', { scanId }),
      () => fail('expired', { scanId }),
      () => fail('expired', { scanId }),
    );
    expect(await isAsked()).toBe(true);
  });

  it('a failure that arrives again, or after a later one, is not counted', async () => {
    await inTurn(
      () => fail('timeout'),
      () => fail('timeout'),
      () => fail('timeout', { agoMs: 90_000 }),
    );
    expect(await isAsked()).toBe(true);
  });

  it('the merge of any scan, also of a background scan, ends the series of failures, and a rejected observation does not', async () => {
    const row = [() => fail('timeout'), () => fail('timeout'), () => fail('timeout')];
    await inTurn(...row, () => merge(MergeOutcome.REJECTED));
    expect(await isAsked()).toBe(false);
    await inTurn(() => merge());
    expect(await isAsked()).toBe(true);
    expect(await harness.db.collection('scan_failures').countDocuments({})).toBe(0);
  });
});
