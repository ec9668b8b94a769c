import { createDeadline } from '@shopscope/async';
import { CommitUnknownError } from '@shopscope/mongo';
import { unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { eventOf, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

describe('interrupted transactions', () => {
  let metering: Metering;
  let deps: Dependencies;

  beforeAll(async () => {
    metering = await startMeterings('atomicity', { instances: 0 });
    deps = metering.deps;
  });
  afterAll(() => metering?.stop());

  const balanceOf = async (workspaceId: string) => {
    const { balance } = await getUsage(deps, workspaceId, { origin, deadline: createDeadline(5_000) });
    return [balance.used.lookupCached, balance.reserved.lookupCached];
  };
  /** Loses the responses of the first commits; `takesPlace`: whether these commits take place. */
  const losing = (commits: number, takesPlace: boolean): Dependencies => {
    let left = commits;
    return {
      ...deps,
      transact: async (work, options) => {
        if (left === 0) return deps.transact(work, options);
        left -= 1;
        const abandoned = new Error('abandoned');
        await deps
          .transact(async (tx) => {
            const result = await work(tx);
            if (!takesPlace) throw abandoned;
            return result;
          }, options)
          .catch((error) => {
            if (error !== abandoned) throw error;
          });
        throw new CommitUnknownError(new Error('connection lost'));
      },
    };
  };

  it('RecordUsage that is interrupted before its commit changes nothing, and has its full effect when it is repeated', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId);
    const [reserved] = await reserve(deps, [reserveItem(item)], createDeadline(5_000));
    const events = [usageEvent(eventOf(item, reserved as never))];
    const failing = { ...deps.counters, add: () => Promise.reject(new Error('killed')) };
    await expect(recordUsage({ ...deps, counters: failing }, events, createDeadline(5_000))).rejects.toThrow('killed');
    expect(await metering.db.collection('ledger').countDocuments({ workspaceId })).toBe(0);
    expect(await balanceOf(workspaceId)).toEqual([0, 1]);
    await recordUsage(deps, events, createDeadline(5_000));
    expect(await balanceOf(workspaceId)).toEqual([1, 0]);
  });

  it.each([true, false])(
    'Reserve looks up a commit of unknown outcome before it responds (commit took place: %s)',
    async (tookPlace) => {
      const workspaceId = newWorkspace();
      const items = [itemOf(workspaceId), itemOf(workspaceId, { units: { lookupCached: 2 } })].map(reserveItem);
      const results = await reserve(losing(1, tookPlace), items, createDeadline(5_000));
      expect(results.map((result) => 'attempt' in result && result.attempt)).toEqual([1, 1]);
      expect(await balanceOf(workspaceId)).toEqual([0, 3]);
    },
  );

  it('Reserve whose every commit is interrupted fails and reserves nothing', async () => {
    const workspaceId = newWorkspace();
    const item = reserveItem(itemOf(workspaceId));
    await expect(reserve(losing(9, false), [item], createDeadline(5_000))).rejects.toMatchObject({ code: 'internal' });
    expect(await balanceOf(workspaceId)).toEqual([0, 0]);
  });

  it('RecordUsage that is interrupted at its commit counts the event once when it is recorded again', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { units: { lookupCached: 3 } });
    const [reserved] = await reserve(deps, [reserveItem(item)], createDeadline(5_000));
    const events = [usageEvent(eventOf(item, reserved as never))];
    await expect(recordUsage(losing(1, true), events, createDeadline(5_000))).rejects.toThrow(CommitUnknownError);
    await recordUsage(deps, events, createDeadline(5_000));
    expect(await balanceOf(workspaceId)).toEqual([3, 0]);
  });

  it('concurrent RecordUsage calls with the same events count each event once', async () => {
    const workspaceId = newWorkspace();
    const items = Array.from({ length: 200 }, (_, n) => itemOf(workspaceId, { keyId: `key_${n % 3}` }));
    const results = await reserve(deps, items.map(reserveItem), createDeadline(5_000));
    const events = items.map((item, n) => usageEvent(eventOf(item, results[n] as never)));
    await Promise.all([0, 1, 2].map(() => recordUsage(deps, events, createDeadline(10_000))));
    expect(await balanceOf(workspaceId)).toEqual([200, 0]);
    const sum = await metering.db
      .collection('ledger')
      .aggregate([{ $match: { workspaceId } }, { $group: { _id: null, n: { $sum: '$units.lookupCached' } } }])
      .toArray();
    expect(sum).toEqual([{ _id: null, n: 200 }]);
    expect(unitsOf((await metering.db.collection('usage_counters').findOne({ workspaceId, keyId: '' }))?.used)).toEqual(
      unitsOf({ lookupCached: 200 }),
    );
  });
});
