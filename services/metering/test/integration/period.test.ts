import { ManualClock } from '@shopscope/clock';
import { ReserveOutcome, type UsageRecorded, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, noon, startMeterings } from './harness.ts';

const { GRANTED, EXHAUSTED } = ReserveOutcome;
const may = Date.UTC(2031, 4, 1);
const june = Date.UTC(2031, 5, 1);

describe('billing periods', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('period');
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  it('the period changes at 00:00 UTC of the first day, and an event counts in the month of its reservation', async () => {
    const workspaceId = newWorkspace();
    const included = { lookupCached: 2 };
    const items = [0, 1, 2, 3].map(() => itemOf(workspaceId, { included, units: { lookupCached: 2 } }));
    metering.clock.setWall(june - 1);
    const { results: last } = await client.reserve({ items: items.slice(0, 2) });
    expect(last.map(({ outcome }) => outcome)).toEqual([GRANTED, EXHAUSTED]);
    expect(last[0]).toMatchObject({ periodStartMs: may, balance: { periodStartMs: may, periodEndMs: june } });

    metering.clock.setWall(june);
    const { results: first } = await client.reserve({ items: items.slice(2) });
    expect(first.map(({ outcome }) => outcome)).toEqual([GRANTED, EXHAUSTED]);
    expect(first[0]?.periodStartMs).toBe(june);

    // Both events arrive in June.
    await client.recordUsage({
      events: [eventOf(items[0] as never, last[0] as never), eventOf(items[2] as never, first[0] as never)],
    });
    const now = await client.getUsage({ workspaceId });
    expect(now.balance).toMatchObject({
      periodStartMs: june,
      used: unitsOf({ lookupCached: 2 }),
      reserved: unitsOf({}),
    });
    const earlier = await client.getUsage({ workspaceId, periodStartMs: may });
    expect(earlier.balance).toMatchObject({
      periodStartMs: may,
      periodEndMs: june,
      used: unitsOf({ lookupCached: 2 }),
    });
    expect(earlier.keys).toEqual([expect.objectContaining({ used: unitsOf({ lookupCached: 2 }) })]);
    const unused = await client.getUsage({ workspaceId, periodStartMs: Date.UTC(2031, 3, 1) });
    expect([unused.balance?.used, unused.keys]).toEqual([unitsOf({}), []]);
    for (const periodStartMs of [0, june + 1, Date.UTC(2031, 6, 1)]) {
      const refused = { code: 'invalid_request', publicMessage: expect.stringMatching(/^period_start_ms/) };
      await expect(client.getUsage({ workspaceId, periodStartMs })).rejects.toMatchObject(refused);
    }
    metering.clock.setWall(june - 1);
    const before = await client.getUsage({ workspaceId });
    expect(before.balance).toMatchObject({
      periodStartMs: may,
      used: unitsOf({ lookupCached: 2 }),
      reserved: unitsOf({}),
    });
    metering.clock.setWall(noon);
  });

  it('the period of a superseded reservation gets the units back when the retry arrives in the next period', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { fingerprint: Buffer.from('body'), included: { lookupCached: 1 } });
    metering.clock.setWall(june - 1);
    await client.reserve({ items: [item] });
    metering.clock.setWall(june);
    const { results } = await client.reserve({ items: [item] });
    expect(results[0]).toMatchObject({ outcome: GRANTED, attempt: 2, periodStartMs: june });
    expect(results[0]?.balance?.taken).toEqual(unitsOf({ lookupCached: 1 }));
    metering.clock.setWall(june - 1);
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId] });
    expect(balances[0]?.reserved).toEqual(unitsOf({}));
    metering.clock.setWall(noon);
  });

  it('the period changes at exactly 00:00 UTC by the clock of each instance under load, and no period is oversold', async () => {
    const [early, late] = [new ManualClock(june - 75), new ManualClock(june - 50)];
    const instances = [
      { clock: early, client: await metering.startInstance({ clock: early }) },
      { clock: late, client: await metering.startInstance({ clock: late }) },
    ];
    const workspaceId = newWorkspace();
    const events: UsageRecorded[] = [];
    const granted = new Map([
      [may, 0],
      [june, 0],
    ]);
    const wrong: object[] = [];
    const buyer = async (n: number) => {
      const { clock, client: instance } = instances[n % 2] as (typeof instances)[0];
      while (early.now() < june + 75) {
        const item = itemOf(workspaceId, { included: { lookupCached: 20 } });
        const beganMs = clock.now();
        const { results } = await instance.reserve({ items: [item] });
        const endedMs = clock.now();
        const { outcome, periodStartMs, balance } = results[0] as (typeof results)[0];
        const isRight = (endedMs >= june || periodStartMs === may) && (beganMs < june || periodStartMs === june);
        if (!isRight || balance?.periodStartMs !== periodStartMs) wrong.push({ beganMs, endedMs, periodStartMs });
        if (outcome === GRANTED) {
          granted.set(periodStartMs, (granted.get(periodStartMs) ?? 0) + 1);
          events.push(eventOf(item, results[0] as never));
        }
        for (const instant of [early, late]) instant.advance(1);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, n) => buyer(n)));
    expect(wrong).toEqual([]);
    expect([...granted]).toEqual([
      [may, 20],
      [june, 20],
    ]);

    // All events are consumed in June.
    await metering.publish(events);
    await metering.settle();
    for (const instant of [june - 1, june]) {
      metering.clock.setWall(instant);
      const { balance } = await client.getUsage({ workspaceId });
      expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 20 }), reserved: unitsOf({}) });
    }
    metering.clock.setWall(noon);
  });
});
