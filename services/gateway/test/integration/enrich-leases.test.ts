import { type LeaseAllowanceRequest, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBackends } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { startTestMetering, type TestMetering } from './support/metering.ts';

const domains = Array.from({ length: 7 }, (_, n) => `shop-${n}.example`);

let metering: TestMetering;
let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;

beforeAll(async () => {
  metering = await startTestMetering();
  usage = await collectEvents(metering.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage?.stop();
  await metering?.stop();
});
/** Each test has a gateway of its own, because a failed call about leases pauses them for all workspaces. */
beforeEach(async () => {
  const backends = await startBackends({ metering });
  gateway = await startTestGateway({ backends });
  for (const domain of domains) backends.addStore(domain);
  return async () => {
    await gateway.stop();
    await backends.stop();
  };
});

const addKey = (lookupCached = 250_000) =>
  gateway.backends.addKey({
    plan: { included: { lookupCached, lookupLive: 10, historyQuery: 0, refreshRequested: 0 } },
  });
const enrich = (key: string, body: object = {}, headers: Record<string, string> = {}, at: TestGateway = gateway) =>
  call(at, '/v1/stores/enrich', { key, body: { domains, ...body }, headers });
const eventsOf = (workspaceId: string) =>
  usage.events.map(({ event }) => event).filter((event) => event.workspaceId === workspaceId);
const wanted = () =>
  gateway.backends.calls<LeaseAllowanceRequest>('leaseAllowance').flatMap(({ asks }) => asks.map((ask) => ask.wanted));

describe('batches', () => {
  it('a batch is charged by a lease, with all of its units in one event: no reservation is made', async () => {
    const { secret, workspaceId, keyId } = addKey();
    const answer = await enrich(secret);
    expect(answer.body.billed).toEqual({ lookup_cached: 7, lookup_live: 0 });
    expect(answer.headers.get('x-usage-remaining')).toBe('249993');
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect(wanted()).toEqual([7]);
    await metering.used(workspaceId, { lookupCached: 7 });
    expect(eventsOf(workspaceId)).toMatchObject([
      {
        keyId,
        attempt: 1,
        operation: 'enrichStores',
        units: { lookupCached: 7 },
        leaseId: expect.stringMatching(/^lse_/),
      },
    ]);
  });

  it('a batch with an Idempotency-Key and a batch that pays for scans are reserved', async () => {
    const { secret, workspaceId } = addKey();
    expect((await enrich(secret, {}, { 'idempotency-key': 'batch-of-seven-0001' })).status).toBe(200);
    expect((await enrich(secret, { domains: [...domains, 'unknown.example'], refresh: true })).status).toBe(200);
    expect(gateway.backends.calls('reserve')).toHaveLength(2);
    expect(wanted()).toEqual([]);
    await metering.used(workspaceId, { lookupCached: 14, lookupLive: 1 });
  });

  it('batches and look-ups are sold until the last unit, by leases and by reservations, and only then answer 402', async () => {
    const { secret, workspaceId } = addKey(300);
    const statusesOf = async (count: number, request: () => Promise<{ status: number }>) => {
      const statuses: number[] = [];
      // 503: a unit may be lent for two seconds.
      while (statuses.length < count) {
        const { status } = await request();
        if (status !== 503) statuses.push(status);
      }
      return new Set(statuses);
    };
    const lookUp = () => call(gateway, `/v1/stores/${domains[0]}`, { key: secret });
    // 42 batches are 294 units.
    expect(await statusesOf(42, () => enrich(secret))).toEqual(new Set([200]));
    expect(await statusesOf(1, () => enrich(secret))).toEqual(new Set([402]));
    expect(await statusesOf(6, lookUp)).toEqual(new Set([200]));
    expect(await statusesOf(1, lookUp)).toEqual(new Set([402]));
    await metering.used(workspaceId, { lookupCached: 300 });
    const batches = eventsOf(workspaceId).filter(({ units }) => units?.lookupCached === 7);
    const ofLeases = batches.filter(({ leaseId }) => leaseId !== undefined);
    expect(ofLeases.length).toBeGreaterThan(0);
    expect(ofLeases.length).toBeLessThan(42);
  });

  it('a batch that takes all that is left is sold at once, although a part of it was lent for the batch itself', async () => {
    const { secret, workspaceId } = addKey(20);
    const answer = await enrich(secret, { domains: Array.from({ length: 20 }, (_, n) => domains[n % domains.length]) });
    expect([answer.status, answer.headers.get('x-usage-remaining')]).toEqual([200, '0']);
    expect(wanted()).toEqual([20, 0]);
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await metering.used(workspaceId, { lookupCached: 20 });
  });

  it('a batch whose event neither Kafka nor metering accepts is voided, and none of its units is billed', async () => {
    const { secret, workspaceId } = addKey();
    const withoutKafka = await startTestGateway({
      backends: gateway.backends,
      env: { KAFKA_BROKERS: '127.0.0.1:1' },
      startsWithoutKafka: true,
    });
    try {
      gateway.backends.faults.set('recordUsage', () => {
        throw new Error('metering does not accept it');
      });
      expect((await enrich(secret, {}, {}, withoutKafka)).status).toBe(500);
      expect(gateway.backends.calls('voidCharge')).toMatchObject([
        { lease: { leaseId: expect.stringMatching(/^lse_/), units: { lookupCached: 7 } } },
      ]);
      gateway.backends.faults.delete('recordUsage');
      // On a busy machine metering may accept an event too late. That batch is voided, too.
      await expect.poll(async () => (await enrich(secret, {}, {}, withoutKafka)).status).toBe(200);
      await metering.used(workspaceId, { lookupCached: 7 });
    } finally {
      await withoutKafka.stop();
    }
  });
});
