import { createDeadline } from '@shopscope/async';
import { unitsOf } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem } from '../../src/inbound/decode.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { eventOf, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

const perWorkspace = 150;

describe('usage events under load', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('rebalance', { instances: 1 });
  });
  afterAll(() => metering?.stop());

  it('usage events are counted exactly once while instances join and leave the consumer group', async () => {
    const workspaces = Array.from({ length: 12 }, newWorkspace);
    let published = 0;
    const gateway = async (workspaceId: string) => {
      for (let n = 0; n < perWorkspace; n += 5) {
        const items = Array.from({ length: 5 }, () => itemOf(workspaceId));
        const results = await reserve(metering.deps, items.map(reserveItem), createDeadline(10_000));
        const events = items.map((item, i) => eventOf(item, results[i] as never));
        // Every third time the send is repeated, as after a lost response.
        await metering.publish(n % 3 === 0 ? [...events, ...events] : events);
        published += events.length;
      }
    };
    const loads = Promise.all(workspaces.map(gateway));
    const reached = async (share: number) => {
      const wanted = share * workspaces.length * perWorkspace;
      await waitUntil(`${wanted} events to be published`, () => published >= wanted);
    };
    await reached(0.2);
    await metering.startInstance();
    await reached(0.4);
    await metering.services.shift()?.stop();
    await reached(0.6);
    await metering.startInstance();
    await metering.startInstance();
    await reached(0.8);
    await metering.services.shift()?.stop();
    await loads;
    await metering.settle();

    for (const workspaceId of workspaces) {
      const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: createDeadline(5_000) });
      expect(balance).toMatchObject({ used: unitsOf({ lookupCached: perWorkspace }), reserved: unitsOf({}) });
    }
    const rows = await metering.db.collection('ledger').countDocuments({ workspaceId: { $in: workspaces } });
    expect(rows).toBe(workspaces.length * perWorkspace);
    expect(await metering.deadLetters()).toBe(0);
  }, 180_000);
});
