import { createDeadline } from '@shopscope/async';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQueues } from '../../src/create-dependencies.ts';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

let metering: Metering;
beforeAll(async () => {
  metering = await startMeterings('record-queues');
});
afterAll(() => metering?.stop());

const reserved = async (workspaceId: string) => {
  const item = itemOf(workspaceId);
  const [granted] = await reserve(metering.deps, [reserveItem(item)], createDeadline(10_000));
  return eventOf(item, granted as never);
};
const usedIn = async (workspaceIds: string[]) => {
  const { balances } = await (metering.clients[0] as MeteringClient).getBalance({ workspaceIds });
  return balances.map(({ used }) => used?.lookupCached);
};

it('RecordUsage counts events of one workspace while a commit of another workspace hangs', async () => {
  const [stuck, other] = [newWorkspace(), newWorkspace()];
  const [entered, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { counters } = metering.deps;
  const add: typeof counters.add = async (deltas, ...rest) => {
    if (deltas.some(({ workspaceId }) => workspaceId === stuck)) {
      entered.resolve();
      await held.promise;
    }
    return counters.add(deltas, ...rest);
  };
  const queues = createQueues({ ...metering.deps, counters: { ...counters, add } });
  const first = queues.usageEvents.submit(usageEvent(await reserved(stuck)), createDeadline(30_000));
  await entered.promise;
  await queues.usageEvents.submit(usageEvent(await reserved(other)), createDeadline(30_000));
  expect(await usedIn([stuck, other])).toEqual([0, 1]);
  held.resolve();
  await first;
  expect(await usedIn([stuck, other])).toEqual([1, 1]);
});

it('RecordUsage has counted the events of all workspaces when it responds', async () => {
  const workspaceIds = Array.from({ length: 5 }, newWorkspace);
  const events = await Promise.all([...workspaceIds, ...workspaceIds].map(reserved));
  await (metering.clients[0] as MeteringClient).recordUsage({ events });
  expect(await usedIn(workspaceIds)).toEqual([2, 2, 2, 2, 2]);
});
