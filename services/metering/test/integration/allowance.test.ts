import { ReserveOutcome, UsageKind, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const { GRANTED, EXHAUSTED, ALREADY_SETTLED } = ReserveOutcome;

describe('allowances', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('allowance', { instances: 2 });
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  const balanceOf = async (workspaceId: string) => {
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId] });
    const { used, reserved } = balances[0] ?? {};
    return { used: used?.lookupCached ?? 0, reserved: reserved?.lookupCached ?? 0 };
  };

  it('an allowance is never oversold by two instances under concurrent load', async () => {
    const workspaceId = newWorkspace();
    const included = 500;
    let granted = 0;
    let exhausted = 0;
    let most = 0;
    let busy = true;
    const sampler = (async () => {
      while (busy) {
        const { used, reserved } = await balanceOf(workspaceId);
        most = Math.max(most, used + reserved);
      }
    })();
    const gateway = async (n: number) => {
      for (let request = 0; request < 25; request++) {
        const items = Array.from({ length: 1 + ((n + request) % 4) }, () =>
          itemOf(workspaceId, { units: { lookupCached: 1 + (request % 3) }, included: { lookupCached: included } }),
        );
        const { results } = await (metering.clients[n % 2] as MeteringClient).reserve({ items });
        const events = [];
        for (const [i, result] of results.entries()) {
          if (result.outcome === EXHAUSTED) exhausted += 1;
          if (result.outcome !== GRANTED) continue;
          const item = items[i] as (typeof items)[number];
          // Some attempts are voided, before or after they are counted; this frees their units.
          if (request % 5 === 0) events.push(eventOf(item, result, UsageKind.VOID));
          if (request % 5 !== 0) granted += item.units?.lookupCached ?? 0;
          events.push(eventOf(item, result));
        }
        if (events.length > 0) await metering.publish(events);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => gateway(n)));
    await metering.settle();
    busy = false;
    await sampler;
    expect(most).toBeLessThanOrEqual(included);
    expect(exhausted).toBeGreaterThan(0);
    const { used, reserved } = await balanceOf(workspaceId);
    expect({ used, reserved }).toEqual({ used: granted, reserved: 0 });
    // One more request takes all units that the voids have freed.
    const rest = itemOf(workspaceId, {
      units: { lookupCached: included - used },
      included: { lookupCached: included },
    });
    expect((await client.reserve({ items: [rest] })).results[0]?.outcome).toBe(GRANTED);
    expect(await balanceOf(workspaceId)).toEqual({ used: granted, reserved: included - granted });
  }, 90_000);

  it('an allowance grants items one by one, in order, when the sum does not fit: a small item may fit after a large one', async () => {
    const workspaceId = newWorkspace();
    const items = [4, 9, 5, 2, 1].map((lookupCached) =>
      itemOf(workspaceId, { units: { lookupCached }, included: { lookupCached: 10 } }),
    );
    const { results } = await client.reserve({ items });
    expect(results.map(({ outcome }) => outcome)).toEqual([GRANTED, EXHAUSTED, GRANTED, EXHAUSTED, GRANTED]);
    expect(results[1]).toMatchObject({
      exhaustedUnit: 'lookup_cached',
      balance: { taken: unitsOf({ lookupCached: 10 }) },
    });
    expect(await balanceOf(workspaceId)).toEqual({ used: 0, reserved: 10 });
  });

  it('an allowance that is exhausted for one unit refuses the whole item and names the unit', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupCached: 10, lookupLive: 1 };
    const units = { lookupCached: 1, lookupLive: 2 };
    const { results } = await client.reserve({ items: [itemOf(workspaceId, { units, included })] });
    expect(results[0]).toMatchObject({ outcome: EXHAUSTED, exhaustedUnit: 'lookup_live' });
    // The caller computes the remaining units from `taken`.
    expect(results[0]?.balance?.taken).toEqual(unitsOf({}));
    expect(await balanceOf(workspaceId)).toEqual({ used: 0, reserved: 0 });
  });

  it('an allowance that is exhausted still grants an item without units', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupCached: 1 };
    await client.reserve({ items: [itemOf(workspaceId, { included })] });
    const items = [itemOf(workspaceId, { units: { lookupCached: 0 }, included }), itemOf(workspaceId, { included })];
    const { results } = await client.reserve({ items });
    expect(results.map(({ outcome }) => outcome)).toEqual([GRANTED, EXHAUSTED]);
  });

  it('an allowance never refuses a retry because of the units that its own charge has used or reserved', async () => {
    const workspaceId = newWorkspace();
    const fingerprint = Buffer.from('body');
    const item = itemOf(workspaceId, { fingerprint, units: { lookupCached: 7 }, included: { lookupCached: 7 } });
    // The event is durable but not consumed, or was never sent: the retry voids the first attempt and opens the next one.
    const first = (await client.reserve({ items: [item] })).results[0];
    const second = (await client.reserve({ items: [item] })).results[0];
    expect([first?.outcome, first?.attempt]).toEqual([GRANTED, 1]);
    expect([second?.outcome, second?.attempt]).toEqual([GRANTED, 2]);
    await metering.publish([eventOf(item, second as never), eventOf(item, first as never)]);
    await metering.settle();
    expect(await balanceOf(workspaceId)).toEqual({ used: 7, reserved: 0 });
    // The charge is settled, and the allowance is exhausted.
    const third = (await client.reserve({ items: [{ ...item, units: unitsOf({ lookupCached: 9 }) }] })).results[0];
    expect(third).toMatchObject({ outcome: ALREADY_SETTLED, attempt: 2, units: unitsOf({ lookupCached: 7 }) });
    expect(
      (await client.reserve({ items: [itemOf(workspaceId, { included: { lookupCached: 7 } })] })).results[0]?.outcome,
    ).toBe(EXHAUSTED);
  });

  it('an allowance counts at most one attempt of a charge whose executions run concurrently in two instances', async () => {
    const workspaceId = newWorkspace();
    const items = Array.from({ length: 20 }, () => itemOf(workspaceId, { fingerprint: Buffer.from('body') }));
    const results = await Promise.all(
      [0, 1, 0, 1].map(async (n) => (await (metering.clients[n] as MeteringClient).reserve({ items })).results),
    );
    const events = results.flatMap((batch) => batch.map((result, n) => eventOf(items[n] as never, result)));
    await metering.publish(events);
    await metering.settle();
    expect(await balanceOf(workspaceId)).toEqual({ used: 20, reserved: 0 });
  });
});
