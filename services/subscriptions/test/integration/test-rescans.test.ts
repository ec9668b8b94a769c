import { hourMs, minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { ScanJobEnded, ScanJobEndState } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scanJobEndedSubscription } from '../../src/inbound/kafka/scan-job-ended.ts';
import { newWorkspaceId } from './harness.ts';
import { origin, type RescanHarness, startRescanHarness } from './rescan-harness.ts';

describe('rescans of the environment test', () => {
  const namespace = testNamespace('test-rescans');
  // A time to come, because MongoDB deletes failures by its own clock.
  const start = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1);
  let harness: RescanHarness;
  beforeAll(async () => {
    harness = await startRescanHarness(namespace, start, 'test');
  });
  beforeEach(() => harness.reset(start));
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  it('a rescan of a test store is charged and requested with the environment test, and a live store in a test watchlist has its turn without one', async () => {
    const watched = await harness.watch(2, { domains: ['matched.test', 'shop.example'] });
    await harness.pass(25 * hourMs);
    expect(harness.peers.requested.map(({ domain }) => domain)).toEqual(['matched.test']);
    expect([...harness.peers.published]).toEqual(['test']);
    expect((await watched.get()).rescans.turn).toBe(2);
    const names = ['watchlists', 'rescans', 'rescan_queue', 'events', 'sequences'];
    expect(await Promise.all(names.map((name) => harness.db.collection(name).countDocuments({})))).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });

  it('a test store that stands for a fault of requests has its turn without a rescan, and bills nothing', async () => {
    const workspaceId = newWorkspaceId();
    const domains = ['limited.test', 'exhausted.test', 'busy.test', 'error.test', 'matched.test'];
    const watched = await harness.watch(5, { workspaceId, domains });
    await harness.pass(25 * hourMs);
    expect(harness.peers.requested.map(({ domain }) => domain)).toEqual(['matched.test']);
    expect(harness.peers.billed(workspaceId)).toBe(1);
    expect((await watched.get()).rescans.turn).toBe(5);
  });

  it('a test store rests after three failed scans of its own workspace, and the same store of another workspace does not', async () => {
    const [own, other] = [newWorkspaceId(), newWorkspaceId()];
    const domain = 'scan-fails.test';
    for (let scan = 0; scan < 3; scan++) {
      harness.clock.advance(minuteMs);
      const event = ScanJobEnded.fromPartial({
        workspaceId: own,
        jobId: newId('job'),
        scanId: newId('scan'),
        domain,
        state: ScanJobEndState.FAILED,
        errorCode: 'unreachable',
        errorMessage: 'Failed.',
        endedAtMs: harness.clock.now(),
      });
      const meta = { ...origin, environment: 'test', eventId: newId('evt') };
      await scanJobEndedSubscription(harness.deps).handle([{ event, meta } as never]);
    }
    for (const workspaceId of [own, other]) await harness.watch(1, { workspaceId, domains: [domain] });
    await harness.pass(25 * hourMs);
    expect(harness.peers.billed(own)).toBe(0);
    expect(harness.peers.billed(other)).toBe(1);
  });
});
