import { hourMs } from '@shopscope/clock';
import { ReserveOutcome, unitsOf } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const { GRANTED, FINGERPRINT_MISMATCH, ALREADY_SETTLED } = ReserveOutcome;

describe('charges under an Idempotency-Key', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('idempotency');
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  const reserve = async (item: ReturnType<typeof itemOf>) => {
    const { results } = await client.reserve({ items: [item] });
    return results[0] as NonNullable<(typeof results)[0]>;
  };
  const usedBy = async (workspaceId: string) => (await client.getUsage({ workspaceId })).balance?.used?.lookupCached;

  it('an Idempotency-Key refuses another body for 24 hours; afterwards it names a new charge, which is billed again', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { fingerprint: Buffer.from('one') });
    const other = { ...item, fingerprint: Buffer.from('two') };
    const first = await reserve(item);
    expect((await reserve(other)).outcome).toBe(FINGERPRINT_MISMATCH);
    await client.recordUsage({ events: [eventOf(item, first)] });
    metering.clock.advance(24 * hourMs - 1);
    expect((await reserve(other)).outcome).toBe(FINGERPRINT_MISMATCH);
    expect((await reserve(item)).outcome).toBe(ALREADY_SETTLED);

    metering.clock.advance(1);
    const renewed = await reserve(other);
    expect([renewed.outcome, renewed.attempt]).toEqual([GRANTED, 2]);
    await client.recordUsage({ events: [eventOf(other, renewed), eventOf(item, first)] });
    expect(await usedBy(workspaceId)).toBe(2);
    expect((await reserve(other)).outcome).toBe(ALREADY_SETTLED);
    expect((await reserve(item)).outcome).toBe(FINGERPRINT_MISMATCH);
  });

  it('an Idempotency-Key is billed once in the 24 hours after the billed attempt, even when earlier attempts were voided', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { fingerprint: Buffer.from('one') });
    const { attempt } = await reserve(item);
    await client.voidCharge({ ...item, attempt });
    metering.clock.advance(23 * hourMs);
    const retry = await reserve(item);
    expect([retry.outcome, retry.attempt]).toEqual([GRANTED, 2]);
    await client.recordUsage({ events: [eventOf(item, retry)] });
    metering.clock.advance(24 * hourMs - 1);
    expect((await reserve(item)).outcome).toBe(ALREADY_SETTLED);
    expect((await reserve({ ...item, fingerprint: Buffer.from('two') })).outcome).toBe(FINGERPRINT_MISMATCH);
    metering.clock.advance(1);
    expect((await reserve(item)).outcome).toBe(GRANTED);
  });

  it('a permanent charge is settled once, also for a Reserve that comes 25 hours or 29 days later', async () => {
    const workspaceId = newWorkspace();
    const item = { ...itemOf(workspaceId, { fingerprint: Buffer.from('one') }), isPermanent: true };
    await client.recordUsage({ events: [eventOf(item, await reserve(item))] });
    for (const hours of [25, 28 * 24]) {
      metering.clock.advance(hours * hourMs);
      const repeated = await reserve(item);
      expect([repeated.outcome, repeated.attempt]).toEqual([ALREADY_SETTLED, 1]);
      expect((await reserve({ ...item, fingerprint: Buffer.from('two') })).outcome).toBe(FINGERPRINT_MISMATCH);
    }
    expect((await metering.db.collection('ledger').find({ workspaceId }).toArray()).length).toBe(1);
  });

  it('a charge under an Idempotency-Key continues with the next attempt of the ledger after its record has expired', async () => {
    const workspaceId = newWorkspace();
    const item = itemOf(workspaceId, { fingerprint: Buffer.from('one') });
    await client.recordUsage({ events: [eventOf(item, await reserve(item))] });
    await metering.db.collection<{ _id: string }>('charges').deleteOne({ _id: item.chargeId });
    const renewed = await reserve(item);
    expect([renewed.outcome, renewed.attempt]).toEqual([GRANTED, 2]);
    await client.recordUsage({ events: [eventOf(item, renewed)] });
    expect(await usedBy(workspaceId)).toBe(2);
  });

  it('a charge under an Idempotency-Key is refused for another workspace', async () => {
    const item = itemOf(newWorkspace(), { fingerprint: Buffer.from('one') });
    await reserve(item);
    expect((await reserve({ ...item, workspaceId: newWorkspace() })).outcome).toBe(FINGERPRINT_MISMATCH);
  });

  it('a charge under an Idempotency-Key without units still refuses another body', async () => {
    const item = itemOf(newWorkspace(), { fingerprint: Buffer.from('one'), units: {} });
    expect((await reserve(item)).outcome).toBe(GRANTED);
    expect((await reserve({ ...item, fingerprint: Buffer.from('two') })).outcome).toBe(FINGERPRINT_MISMATCH);
  });

  it.each(['one', ''])(
    'a charge whose void arrived before its reservation gets an attempt that can count (fingerprint %j)',
    async (body) => {
      const workspaceId = newWorkspace();
      const item = itemOf(workspaceId, { fingerprint: Buffer.from(body) });
      await client.voidCharge({ chargeId: item.chargeId, attempt: 1, workspaceId, keyId: 'key_a' });
      const reserved = await reserve(item);
      expect([reserved.outcome, reserved.attempt]).toEqual([GRANTED, 2]);
      await client.recordUsage({ events: [eventOf(item, reserved), eventOf(item, { ...reserved, attempt: 1 })] });
      const { balance } = await client.getUsage({ workspaceId });
      expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 1 }), reserved: unitsOf({}) });
    },
  );

  it('an earlier execution does not reverse a charge after a retry got it as its response, also under concurrency', async () => {
    const workspaceId = newWorkspace();
    const items = Array.from({ length: 30 }, () => itemOf(workspaceId, { fingerprint: Buffer.from('one') }));
    const { results: first } = await client.reserve({ items });
    await client.recordUsage({ events: items.map((item, n) => eventOf(item, first[n] as never)) });
    const retries = await Promise.all(
      items.map(async (item, n) => {
        const voided = async () => client.voidCharge({ ...item, attempt: 1 });
        const [retry] = await Promise.all(n % 2 ? [reserve(item), voided()] : [voided().then(() => reserve(item))]);
        return retry;
      }),
    );
    const settled = retries.filter(({ outcome }) => outcome === ALREADY_SETTLED).length;
    expect(retries.filter(({ outcome }) => outcome === GRANTED)).toHaveLength(30 - settled);
    expect(await usedBy(workspaceId)).toBe(settled);
    for (const item of items) await client.voidCharge({ ...item, attempt: 1 });
    expect(await usedBy(workspaceId)).toBe(settled);
  });
});
