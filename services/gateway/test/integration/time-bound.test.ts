import { type ReserveRequest, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBackends, type TestKey } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway, type TestGatewayOptions } from './support/gateway.ts';
import { call, envelopeOf, sendRaw } from './support/http.ts';
import { startTestMetering, type TestMetering } from './support/metering.ts';

let metering: TestMetering;
beforeAll(async () => {
  metering = await startTestMetering();
});
afterAll(() => metering.stop());

/** Without leases Reserve decides about every charge. */
const withoutLeases = (gateway: TestGateway) =>
  gateway.backends.faults.set('leaseAllowance', () => {
    throw new Error('no leases');
  });

/** Each test has its own backends, so that the tests can wait concurrently. */
async function withGateway(
  options: Pick<TestGatewayOptions, 'env' | 'startsWithoutKafka'>,
  test: (gateway: TestGateway, key: TestKey) => Promise<void>,
) {
  const backends = await startBackends({ metering });
  const gateway = await startTestGateway({ backends, ...options });
  gateway.backends.addStore('shop.example');
  try {
    await test(gateway, gateway.backends.addKey());
  } finally {
    await gateway.stop();
    await backends.stop();
  }
}

/** The backends that are silent here stay silent, so that only the time limit of the gateway ends a request. */
const timeout = 60_000;

describe.concurrent('the time limit', { tags: ['wall-clock'] }, () => {
  it(
    'a request to a silent backend is answered with internal by 10.5 s and not billed, even after a late answer',
    { timeout },
    () =>
      withGateway({}, async (gateway, key) => {
        withoutLeases(gateway);
        const silence = gateway.backends.hold('getStores');
        const answer = await call(gateway, '/v1/stores/shop.example', { key: key.secret });
        expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
        expect(gateway.backends.calls('reserve')).toHaveLength(0);
        silence.release();
        // What the late answer causes comes before the next request's reservation.
        expect((await call(gateway, '/v1/stores/shop.example', { key: key.secret })).status).toBe(200);
        expect(gateway.backends.calls('reserve')).toHaveLength(1);
      }),
  );

  it('a reservation that takes too long is answered with internal by 10.5 s and publishes nothing', { timeout }, () =>
    withGateway({}, async (gateway, key) => {
      const usage = await collectEvents<UsageRecorded>(gateway.namespace, usageRecorded.live);
      withoutLeases(gateway);
      const silence = gateway.backends.hold('reserve');
      const answer = await call(gateway, '/v1/stores/shop.example', { key: key.secret });
      expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
      silence.release();
      // Events of a workspace are collected in order, so the next request's event comes after one of the late answer.
      expect((await call(gateway, '/v1/stores/shop.example', { key: key.secret })).status).toBe(200);
      const [, next] = gateway.backends.calls<ReserveRequest>('reserve').flatMap(({ items }) => items);
      const billed = () =>
        usage.events.map(({ event }) => event).filter((event) => event.workspaceId === key.workspaceId);
      await vi.waitFor(() => expect(billed().map(({ chargeId }) => chargeId)).toEqual([next?.chargeId]), 60_000);
      expect(gateway.backends.calls('recordUsage')).toHaveLength(0);
      await usage.stop();
    }),
  );

  it('a charge whose void may not be durable closes the connection by 10.5 s without a status', { timeout }, () =>
    withGateway({ env: { KAFKA_BROKERS: '127.0.0.1:1' }, startsWithoutKafka: true }, async (gateway, key) => {
      const silences = ['recordUsage', 'voidCharge'].map((method) => gateway.backends.hold(method));
      const request = `GET /v1/stores/shop.example HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`;
      expect(await sendRaw(gateway.port, [request])).toBe('');
      for (const { release } of silences) release();
    }),
  );

  it('the gateway ends slow headers after 10 s and slow requests after 15 s, with an error envelope', { timeout }, () =>
    withGateway({}, async ({ port }) => {
      const unfinished = [
        'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
        'POST /v1/stores/enrich HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ];
      const ended = await Promise.all(unfinished.map((sent) => sendRaw(port, [sent])));
      for (const { status, body } of ended.map(envelopeOf)) {
        expect(status).toBe(400);
        expect(body.error.message).toContain('within 15 s, its headers within 10 s');
      }
    }),
  );
});
