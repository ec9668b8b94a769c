import { deriveId, newId } from '@shopscope/ids';
import {
  type LeaseAllowanceRequest,
  type LeaseAsk,
  LeaseOutcome,
  type StoreSignal,
  type UsageRecorded,
  unitsOf,
  usageRecorded,
} from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBackends } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { startTestMetering, type TestMetering } from './support/metering.ts';

const domain = 'shop.example';
const historyPath = `/v1/stores/${domain}/history`;
const storePath = `/v1/stores/${domain}`;
const searchPath = '/v1/signals';

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
  backends.addStore(domain);
  backends.addStore('quiet.example');
  const atMs = Date.now() - 60_000;
  const signal: StoreSignal = {
    id: deriveId('evt', domain),
    type: 'technology_added',
    technology: 'klaviyo',
    from: undefined,
    to: 'active',
    confidence: 'high',
    effectiveAtMs: atMs,
    confirmedAtMs: atMs,
    domain,
    storefrontId: deriveId('sf', domain),
  };
  backends.signals.push(signal);
  return async () => {
    await gateway.stop();
    await backends.stop();
  };
});

const addKey = (historyQuery = 25_000) =>
  gateway.backends.addKey({
    scopes: ['read:signals', 'read:stores'],
    plan: { included: { lookupCached: 250_000, lookupLive: 0, historyQuery, refreshRequested: 0 } },
  });
const eventsOf = (workspaceId: string) =>
  usage.events.map(({ event }) => event).filter((event) => event.workspaceId === workspaceId);
const asks = () => gateway.backends.calls<LeaseAllowanceRequest>('leaseAllowance');
const get = (path: string, key: string) => call(gateway, path, { key });
const left = (answer: Awaited<ReturnType<typeof get>>) => Number(answer.headers.get('x-usage-remaining'));

describe('pages of history', () => {
  it('a page of history with a row is charged by a lease of its unit: no reservation is made', async () => {
    const { secret, workspaceId, keyId } = addKey();
    for (const path of [historyPath, searchPath]) expect((await get(path, secret)).status).toBe(200);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect(asks().flatMap((call) => call.asks)).toMatchObject([
      { workspaceId, unit: 'history_query', callNumber: 1, wanted: 1 },
      { workspaceId, unit: 'history_query', callNumber: 2, spent: 1 },
    ]);
    await metering.used(workspaceId, { historyQuery: 2 });
    await expect.poll(() => eventsOf(workspaceId).length).toBe(2);
    const units = { lookupCached: 0, lookupLive: 0, historyQuery: 1, refreshRequested: 0 };
    expect(eventsOf(workspaceId)).toMatchObject([
      { keyId, attempt: 1, operation: 'getStoreHistory', units, leaseId: expect.stringMatching(/^lse_/) },
      { keyId, attempt: 1, operation: 'searchSignals', units, leaseId: eventsOf(workspaceId)[0]?.leaseId },
    ]);
    const { body } = await get('/v1/usage', secret);
    expect([body.period.used.history_query, body.by_key]).toMatchObject([2, [{ key_id: keyId }]]);
  });

  it('a page of history that bills nothing asks for no lease: an empty page, an unknown domain, HEAD', async () => {
    const { secret, workspaceId } = addKey();
    expect((await get('/v1/stores/quiet.example/history', secret)).body.data).toEqual([]);
    expect((await get('/v1/stores/unknown.example/history', secret)).status).toBe(404);
    expect((await call(gateway, historyPath, { key: secret, method: 'HEAD' })).status).toBe(200);
    expect([...asks(), ...gateway.backends.calls('reserve')]).toEqual([]);
    expect((await metering.balanceOf(workspaceId)).taken.historyQuery).toBe(0);
  });

  it('a page of history without rows is answered while only a lease holds units, and gives its unit back', async () => {
    const { secret, workspaceId } = addKey();
    gateway.backends.faults.set('getBalance', () => ({
      balances: [{ periodStartMs: 1, periodEndMs: 2, taken: unitsOf({ historyQuery: 25_000 }) }],
    }));
    expect((await get(historyPath, secret)).status).toBe(200);
    const [{ spent: before = 0 } = {}] = asks().flatMap((call) => call.asks);
    for (let n = 0; n < 5; n++) expect((await get('/v1/stores/quiet.example/history', secret)).status).toBe(200);
    expect((await get(historyPath, secret)).status).toBe(200);
    expect([before, gateway.backends.calls('reserve')]).toEqual([0, []]);
    await metering.used(workspaceId, { historyQuery: 2 });
    await expect.poll(() => eventsOf(workspaceId).length).toBe(2);
  });

  it('a page of history says how many look-ups are left, whatever paid for it', async () => {
    const { secret, workspaceId } = addKey();
    // Its balance is used when metering takes longer than a response waits for the header.
    await get('/v1/account', secret);
    expect(left(await get(historyPath, secret))).toBe(250_000);
    expect(left(await get(storePath, secret))).toBe(249_999);
    expect(left(await get(historyPath, secret))).toBe(249_999);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    await metering.used(workspaceId, { lookupCached: 1, historyQuery: 2 });
  });

  it('pages of history are sold until the last unit, by leases and by reservations, and only then answer 402', async () => {
    const included = 18;
    const { secret, workspaceId } = addKey(included);
    for (let n = 0; n < included; n++) expect((await get(historyPath, secret)).status, `page ${n}`).toBe(200);
    const refused = await get(historyPath, secret);
    expect([refused.status, refused.body.error.unit]).toEqual([402, 'history_query']);
    await metering.used(workspaceId, { historyQuery: included });
    await expect.poll(() => eventsOf(workspaceId).length).toBe(included);
    const ofLeases = eventsOf(workspaceId).filter(({ leaseId }) => leaseId !== undefined).length;
    expect(ofLeases).toBeGreaterThan(0);
    expect(ofLeases).toBeLessThan(included);
    // Look-ups have an allowance of their own.
    expect((await get(storePath, secret)).status).toBe(200);
  });

  it('a page of history answers 503 with Retry-After, and no 402, while another gateway holds the last unit', async () => {
    const included = 16;
    const { secret, workspaceId } = addKey(included);
    const lease: LeaseAsk = {
      workspaceId,
      leaseId: newId('lse'),
      callNumber: 1,
      sentAtMs: Date.now(),
      wanted: 1,
      spent: 0,
      final: false,
      included: { lookupCached: 250_000, lookupLive: 0, historyQuery: included, refreshRequested: 0 },
      periodStartMs: 0,
      unit: 'history_query',
    };
    const ask = async (over: Partial<LeaseAsk>) => {
      const asks = [{ ...lease, ...over }];
      return (await metering.client.leaseAllowance({ gatewayId: 'gw_other', asks })).grants[0];
    };
    expect(await ask({})).toMatchObject({ outcome: LeaseOutcome.GRANTED, granted: 1 });
    for (let n = 1; n < included; n++) expect((await get(historyPath, secret)).status, `page ${n}`).toBe(200);
    const lent = await get(historyPath, secret);
    expect([lent.status, lent.body.error.code, lent.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    await ask({ callNumber: 2, wanted: 0, final: true, periodStartMs: metering.period.startMs });
    expect((await get(historyPath, secret)).status).toBe(200);
    expect((await get(historyPath, secret)).status).toBe(402);
    await metering.used(workspaceId, { historyQuery: included });
  });

  it('a page of history is reserved while calls about leases fail', async () => {
    const { secret, workspaceId } = addKey();
    gateway.backends.faults.set('leaseAllowance', () => {
      throw new Error('no leases');
    });
    expect((await get(historyPath, secret)).status).toBe(200);
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await metering.used(workspaceId, { historyQuery: 1 });
  });

  it('a page of history whose event neither Kafka nor metering accepts is voided, and its unit is not billed', async () => {
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
      const refused = await call(withoutKafka, historyPath, { key: secret });
      expect([refused.status, refused.body.error.code]).toEqual([500, 'internal']);
      expect(gateway.backends.calls('voidCharge')).toMatchObject([
        { lease: { leaseId: expect.stringMatching(/^lse_/), units: { historyQuery: 1, lookupCached: 0 } } },
      ]);
      gateway.backends.faults.delete('recordUsage');
      // On a busy machine metering may accept an event too late. That page is voided, too.
      await expect.poll(async () => (await call(withoutKafka, historyPath, { key: secret })).status).toBe(200);
      await metering.used(workspaceId, { historyQuery: 1 });
    } finally {
      await withoutKafka.stop();
    }
  });
});
