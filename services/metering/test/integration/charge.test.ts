import { ReserveOutcome, UsageKind, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, noon, startMeterings } from './harness.ts';

describe('charges', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('charge');
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  it('a charge is counted once, however often its event arrives, and is shown in the usage of its key', async () => {
    const workspaceId = newWorkspace();
    const first = itemOf(workspaceId, { units: { lookupCached: 3, lookupLive: 1 } });
    const second = itemOf(workspaceId, { keyId: 'key_b', units: { lookupCached: 2 } });
    const { results } = await client.reserve({ items: [first, second] });
    expect(results.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
      [ReserveOutcome.GRANTED, 1],
      [ReserveOutcome.GRANTED, 1],
    ]);
    expect(results[1]?.balance).toMatchObject({
      taken: unitsOf({ lookupCached: 5, lookupLive: 1 }),
      // Reserve does not read the counters, so both are absent; 0 would be wrong.
      used: undefined,
      reserved: undefined,
    });

    const events = [first, second].map((item, n) => eventOf(item, results[n] as never));
    await metering.publish([...events, ...events]);
    await metering.publish(events);
    await metering.settle();

    const usage = await client.getUsage({ workspaceId });
    expect(usage.balance).toMatchObject({ used: unitsOf({ lookupCached: 5, lookupLive: 1 }), reserved: unitsOf({}) });
    expect(usage.keys).toEqual(
      expect.arrayContaining([
        { keyId: 'key_a', used: unitsOf({ lookupCached: 3, lookupLive: 1 }) },
        { keyId: 'key_b', used: unitsOf({ lookupCached: 2 }) },
      ]),
    );
    expect(usage.keys).toHaveLength(2);
  });

  it('a charge has one ledger entry when its event arrives by Kafka and by RecordUsage', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId);
    const { results } = await client.reserve({ items: [item] });
    const event = eventOf(item, results[0] as never);
    await client.recordUsage({ events: [event] });
    await metering.publish([event]);
    await client.recordUsage({ events: [event, event] });
    await metering.settle();
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId] });
    expect(balances[0]).toMatchObject({ used: unitsOf({ lookupCached: 1 }), reserved: unitsOf({}) });
    expect(await metering.db.collection('ledger').countDocuments({ workspaceId })).toBe(1);
  });

  it('a charge that is voided before its event is not billed, and one that is voided after its event is reversed once', async () => {
    const workspaceId = newWorkspace();
    const [early, late] = [itemOf(workspaceId), itemOf(workspaceId, { units: { lookupCached: 4 } })];
    const { results } = await client.reserve({ items: [early, late] });
    const [a, b] = results.map((result, n) => eventOf([early, late][n] as never, result)) as [never, never];
    await client.voidCharge({ ...(early as object), attempt: 1 } as never);
    await metering.publish([a, b]);
    await metering.settle();
    const usage = () => client.getUsage({ workspaceId }).then(({ balance }) => balance);
    expect(await usage()).toMatchObject({ used: unitsOf({ lookupCached: 4 }), reserved: unitsOf({}) });

    for (let n = 0; n < 2; n++) {
      await client.voidCharge({ ...(late as object), attempt: 1 } as never);
      await metering.publish([eventOf(late, results[1] as never, UsageKind.VOID), b]);
    }
    await metering.settle();
    expect(await usage()).toMatchObject({ used: unitsOf({}), reserved: unitsOf({}) });
  });

  it('a charge that is in one call twice gets two attempts, and only the last one can count', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { fingerprint: Buffer.from('body') });
    const { results } = await client.reserve({ items: [item, item] });
    expect(results.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await client.recordUsage({ events: results.map((result) => eventOf(item, result)) });
    const { balance } = await client.getUsage({ workspaceId });
    expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 1 }), reserved: unitsOf({}) });
  });

  it('a charge with an invalid event gets a dead letter, and other events of the batch are counted', async () => {
    const workspaceId = newWorkspace();
    const [bad, good] = [itemOf(workspaceId), itemOf(workspaceId)];
    const { results } = await client.reserve({ items: [bad, good] });
    const events = [bad, good].map((item, n) => eventOf(item, results[n] as never));
    await metering.publish([{ ...(events[0] as (typeof events)[0]), attempt: 0 }, events[1] as (typeof events)[0]]);
    await metering.settle();
    const { balance } = await client.getUsage({ workspaceId });
    expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 1 }), reserved: unitsOf({ lookupCached: 1 }) });
    expect(await metering.deadLetters()).toBe(1);
  });

  it('a charge with an invalid amount, identifier or attempt is refused as invalid_request', async () => {
    const item = itemOf(newWorkspace());
    const refused = { code: 'invalid_request' };
    await expect(client.reserve({ items: [{ ...item, workspaceId: 'a/b' }] })).rejects.toMatchObject(refused);
    await expect(client.reserve({ items: [{ ...item, chargeId: '' }] })).rejects.toMatchObject(refused);
    await expect(client.reserve({ items: Array.from({ length: 1_001 }, () => item) })).rejects.toMatchObject(refused);
    const event = eventOf(item, { attempt: 1, periodStartMs: noon });
    await expect(client.recordUsage({ events: [event] })).rejects.toMatchObject(refused);
    await expect(client.voidCharge({ ...event, attempt: 0 })).rejects.toMatchObject(refused);
    await expect(client.getUsage({ workspaceId: '' })).rejects.toMatchObject(refused);
  });
});
