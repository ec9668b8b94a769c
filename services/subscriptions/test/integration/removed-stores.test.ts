import type { Received } from '@shopscope/kafka';
import { ConfirmedSignal, MergeOutcome, ProfileUpdated } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profileUpdatedSubscription } from '../../src/inbound/kafka/profile-updated.ts';
import { fanOutUpdates } from '../../src/operations/fan-out-updates.ts';
import { runFanOut } from '../../src/operations/run-fan-out.ts';
import { type EventHarness, origin, startEventHarness } from './event-harness.ts';
import { updateOf, watch, workspacesOf } from './fan-out-harness.ts';

const sizes = { maxDirectWatchers: 2, pageSize: 4 };
const pageSize = 3;
const domain = 'shop.example';

describe('a store whose profile was removed', () => {
  const namespace = testNamespace('removed-stores');
  let harness: EventHarness;
  beforeAll(async () => {
    harness = await startEventHarness(namespace);
  });
  beforeEach(() => harness.reset());
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  const consume = (...events: Partial<ProfileUpdated>[]) => {
    const scanFailures = { forget: async () => {} };
    const deps = { ...harness.deps, scanFailures } as unknown as Parameters<typeof profileUpdatedSubscription>[0];
    const { handle } = profileUpdatedSubscription(deps, { onQueued: () => {} });
    const received = events.map((event) => ({ event: ProfileUpdated.fromPartial(event), meta: origin }));
    return handle(received as Received<ProfileUpdated>[]);
  };
  const removal = (of = domain) => ({ domain: of, outcome: MergeOutcome.REMOVED, profileSequence: 9 });
  const confirmation = (id: string, of = domain) => ({
    domain: of,
    scanId: `scan_${id}`,
    outcome: MergeOutcome.MERGED,
    confirmations: [ConfirmedSignal.fromPartial({ id, type: 'technology_added', technology: 'klaviyo' })],
  });
  const idsOf = async (workspaceId: string) =>
    (await harness.stored(workspaceId)).map(({ data }) => JSON.parse(data).id);
  const watchAll = (count: number, of = domain) =>
    watch(harness, ...workspacesOf(count).map((workspaceId) => ({ workspaceId, domain: of })));

  it('its signals that wait reach no further workspace, and those of other stores reach theirs', async () => {
    await watchAll(7);
    await watchAll(7, 'other.example');
    await fanOutUpdates(harness.deps, [updateOf(domain, 'evt_1'), updateOf('other.example', 'evt_2')], sizes);
    await runFanOut(harness.deps, pageSize);
    await consume(removal());
    while (await runFanOut(harness.deps, pageSize));
    const all = (await Promise.all(workspacesOf(7).map(idsOf))).flat();
    expect(all.filter((id) => id === 'evt_1').length).toBeLessThanOrEqual(pageSize);
    expect(all.filter((id) => id === 'evt_2')).toHaveLength(7);
  });

  it('a batch with its removal sends none of its signals from before, and those from after', async () => {
    await watchAll(1);
    await watchAll(1, 'other.example');
    await consume(confirmation('evt_before'), confirmation('evt_other', 'other.example'), removal());
    await consume(removal(), confirmation('evt_after'));
    expect((await idsOf('ws_000000')).sort()).toEqual(['evt_after', 'evt_other']);
  });
});
