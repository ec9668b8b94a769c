import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import {
  type RecordUsageRequest,
  ReserveOutcome,
  type ReserveRequest,
  UsageKind,
  type UsageRecorded,
  usageRecorded,
  type VoidChargeRequest,
} from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestKey } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

let gateway: TestGateway;
/** A gateway that shares everything except Kafka. Its Kafka does not answer. */
let withoutKafka: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;
let key: TestKey;

beforeAll(async () => {
  gateway = await startTestGateway();
  withoutKafka = await startTestGateway({
    backends: gateway.backends,
    env: { KAFKA_BROKERS: '127.0.0.1:1' },
    startsWithoutKafka: true,
  });
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage.stop();
  await withoutKafka.stop();
  await gateway.stop();
});
/** Without leases Reserve decides about every charge. */
const withoutLeases = () => {
  gateway.backends.faults.clear();
  gateway.backends.faults.set('leaseAllowance', fail);
};

beforeEach(() => {
  withoutLeases();
  gateway.backends.forgetCalls();
  gateway.backends.scanRequests.length = 0;
  key = gateway.backends.addKey();
  gateway.backends.addStore('shop.example');
});

const fail = () => {
  throw new Error('away');
};
/** The events that reached metering over gRPC. */
const recorded = () => gateway.backends.calls<RecordUsageRequest>('recordUsage').flatMap(({ events }) => events);
const getStore = (at: TestGateway) => call(at, '/v1/stores/shop.example', { key: key.secret });
const eventsOf = () =>
  usage.events.filter(({ event }) => event.workspaceId === key.workspaceId).map(({ event }) => event);

/** A request for a scan at the gateway without Kafka, whose caller ends the connection when the test calls `hangUp`. */
function hangingUp(domain: string, idempotencyKey?: string) {
  const body = JSON.stringify({ domains: [domain], refresh: true });
  const headers = [
    'POST /v1/stores/enrich HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key.secret}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(idempotencyKey ? [`Idempotency-Key: ${idempotencyKey}`] : []),
  ];
  const socket = connect(withoutKafka.port, '127.0.0.1');
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
  return {
    /** Ends the connection. Resolves when the gateway has noticed it. */
    async hangUp() {
      expect(await withoutKafka.service.pending()).toBe(1);
      socket.destroy();
      await waitUntil('the gateway to notice', async () => (await withoutKafka.service.pending()) === 0);
    },
  };
}

describe('charges', () => {
  it('a charge reaches the same ledger over gRPC while Kafka does not answer, and its scan requests the scheduler', async () => {
    const answer = await getStore(withoutKafka);
    expect(answer.status).toBe(200);
    expect(recorded()).toMatchObject([
      {
        kind: UsageKind.CHARGE,
        attempt: 1,
        workspaceId: key.workspaceId,
        keyId: key.keyId,
        units: { lookupCached: 1 },
      },
    ]);
    const { metering } = gateway.backends;
    expect((await metering.balanceOf(key.workspaceId)).used).toMatchObject({ lookupCached: 1, lookupLive: 0 });
    const body = { domains: ['shop.example', 'unknown.example'], refresh: true };
    const enriched = await call(withoutKafka, '/v1/stores/enrich', { key: key.secret, body });
    expect(enriched.body.billed).toEqual({ lookup_cached: 1, lookup_live: 1 });
    expect(gateway.backends.scanRequests).toMatchObject([
      { domain: 'unknown.example', jobId: enriched.body.results[1].scan_job_id },
    ]);
    expect(recorded()).toHaveLength(2);
    expect((await metering.balanceOf(key.workspaceId)).used).toMatchObject({ lookupCached: 2, lookupLive: 1 });
  });

  it('a charge does not wait for Kafka on every request once Kafka is known to be unavailable', async () => {
    for (let i = 0; i < 4; i++) await getStore(withoutKafka);
    // While the circuit is open, a publish rejects at once (producer.test.ts of libs/kafka).
    const metrics = await (await fetch(`${withoutKafka.service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^kafka_producer_available\{[^}]*\} 0$/m);
    for (let i = 0; i < 5; i++) expect((await getStore(withoutKafka)).status).toBe(200);
    const status = async () => (await call(withoutKafka, '/v1/health')).body.status;
    await expect.poll(status).toBe('degraded');
  });

  it('a charge that neither Kafka nor metering accepts is voided, and the error is sent only after the void', async () => {
    gateway.backends.faults.set('recordUsage', fail);
    const voiding = gateway.backends.hold('voidCharge');
    const left: string[] = [];
    const answering = getStore(withoutKafka).finally(() => left.push('answer'));
    await gateway.backends.called('voidCharge');
    // An answer that did not wait for the void would leave before those of later requests.
    for (let i = 0; i < 10; i++) await call(withoutKafka, '/v1/health');
    left.push('void');
    voiding.release();
    const answer = await answering;
    expect([answer.status, answer.body.error.code, left]).toEqual([500, 'internal', ['void', 'answer']]);
    expect(gateway.backends.calls<VoidChargeRequest>('voidCharge')).toMatchObject([
      { attempt: 1, workspaceId: key.workspaceId, keyId: key.keyId },
    ]);
    expect((await gateway.backends.metering.balanceOf(key.workspaceId)).taken.lookupCached).toBe(0);
  });

  it('a charge whose caller hangs up while its scans are requested is still billed for them', async () => {
    for (const idempotencyKey of [undefined, randomUUID()]) {
      key = gateway.backends.addKey();
      const scheduler = gateway.backends.hold('requestScans');
      gateway.backends.forgetCalls();
      const caller = hangingUp('unknown.example', idempotencyKey);
      await gateway.backends.called('requestScans');
      await caller.hangUp();
      scheduler.release();
      await gateway.backends.metering.counted(key.workspaceId, { lookupLive: 1 });
      expect(gateway.backends.scanRequests).toMatchObject([{ domain: 'unknown.example' }]);
      expect(gateway.backends.calls('releaseClaims')).toHaveLength(0);
      gateway.backends.scanRequests.length = 0;
    }
  });

  it('a charge whose caller hangs up before its commit requests no scans, bills nothing and frees its claims', async () => {
    for (const idempotencyKey of [undefined, randomUUID()]) {
      key = gateway.backends.addKey();
      const metering = gateway.backends.hold('reserve');
      gateway.backends.forgetCalls();
      const caller = hangingUp('unknown.example', idempotencyKey);
      await gateway.backends.called('reserve');
      await caller.hangUp();
      metering.release();
      await gateway.backends.called('releaseClaims');
      await gateway.backends.metering.counted(key.workspaceId, {});
      expect(gateway.backends.calls('requestScans')).toHaveLength(0);
      expect(recorded()).toHaveLength(0);
    }
  });

  it('a charge that metering cannot reserve answers internal, and nothing is published or recorded', async () => {
    gateway.backends.faults.set('reserve', fail);
    const answer = await getStore(gateway);
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    const body = { domains: ['shop.example', 'unknown.example'], refresh: true };
    expect((await call(gateway, '/v1/stores/enrich', { key: key.secret, body })).status).toBe(500);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    // If an Idempotency-Key names the charge, another execution may have paid for the claims. A retry finds them.
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await call(gateway, '/v1/stores/enrich', { key: key.secret, body, headers })).status).toBe(500);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    expect(recorded()).toHaveLength(0);
    expect(eventsOf()).toHaveLength(0);
  });

  it('a charge that metering leaves undecided is answered with internal and publishes nothing', async () => {
    const undecided = { outcome: ReserveOutcome.UNSPECIFIED, attempt: 0, periodStartMs: 0, exhaustedUnit: '' };
    gateway.backends.faults.set('reserve', ({ items }: ReserveRequest) => ({ results: items.map(() => undecided) }));
    const answer = await getStore(gateway);
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect(recorded()).toHaveLength(0);
    withoutLeases();
    expect((await getStore(gateway)).status).toBe(200);
    // The events of a workspace are collected in their order, so that an earlier one would be here by now.
    await expect.poll(() => eventsOf().length).toBe(1);
    expect(eventsOf()[0]?.chargeId).toBe(gateway.backends.calls<ReserveRequest>('reserve').at(-1)?.items[0]?.chargeId);
  });

  it('a charge of a caller who left before the commit is not made', async () => {
    const profiles = gateway.backends.hold('getStores');
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${key.secret}` };
    const request = fetch(`${gateway.url}/v1/stores/shop.example`, { headers, signal: leaving.signal });
    await gateway.backends.called('getStores');
    leaving.abort();
    await request.catch(() => {});
    await waitUntil('the gateway to notice', async () => (await gateway.service.pending()) === 0);
    profiles.release();
    // If the disconnected caller were charged, the charge and its event would come before those of the next request.
    expect((await getStore(gateway)).status).toBe(200);
    const reserved = gateway.backends.calls<ReserveRequest>('reserve').flatMap(({ items }) => items);
    expect(reserved).toHaveLength(1);
    await expect.poll(() => eventsOf().map(({ chargeId }) => chargeId)).toEqual([reserved[0]?.chargeId]);
  });

  it('a charge whose scan requests cannot be made durable bills nothing and releases its claims', async () => {
    gateway.backends.faults.set('requestScans', fail);
    const body = { domains: ['shop.example', 'unknown.example'], refresh: true };
    const answer = await call(withoutKafka, '/v1/stores/enrich', { key: key.secret, body });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    expect(recorded()).toHaveLength(0);
    await expect.poll(() => gateway.backends.calls('voidCharge').length).toBe(1);
    await gateway.backends.metering.counted(key.workspaceId, {});
  });
});

it('an answer leaves X-Usage-Remaining out while metering is unavailable, and does not wait for it', async () => {
  // Metering stays silent until the responses are there.
  const silence = gateway.backends.hold('getBalance');
  for (let i = 0; i < 3; i++) {
    const answer = await call(gateway, '/v1/stores/unknown.example', { key: key.secret });
    expect([answer.status, answer.headers.has('x-usage-remaining')]).toEqual([404, false]);
  }
  expect(gateway.backends.calls('getBalance')).not.toHaveLength(0);
  silence.release();
});
