import { type ReserveRequest, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, sendRaw } from './support/http.ts';
import { startTestMetering, type TestMetering } from './support/metering.ts';
import { startNeighbours, type TestKey } from './support/neighbours.ts';
import { timed } from './support/timed.ts';

let metering: TestMetering;
beforeAll(async () => {
  metering = await startTestMetering();
});
afterAll(() => metering.stop());

/** Each test has neighbours of its own, which keep silence for no other test: the tests wait together. */
async function withGateway(env: Record<string, string>, test: (gateway: TestGateway, key: TestKey) => Promise<void>) {
  const neighbours = await startNeighbours({ metering });
  const gateway = await startTestGateway({ neighbours, env });
  gateway.neighbours.addStore('shop.example');
  try {
    await test(gateway, gateway.neighbours.addKey());
  } finally {
    await gateway.stop();
    await neighbours.stop();
  }
}

const timeout = 60_000;

describe.concurrent('by 10.5 s', { tags: ['wall-clock'] }, () => {
  it(
    'a request to a silent neighbour is answered with internal and not billed, even if the neighbour answers later',
    { timeout },
    () =>
      withGateway({}, async (gateway, key) => {
        const silence = gateway.neighbours.hold('getStores');
        const [answer, afterMs, wallMs] = await timed(() =>
          call(gateway, '/v1/stores/shop.example', { key: key.secret }),
        );
        expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
        expect(wallMs).toBeGreaterThan(8_000);
        expect(afterMs).toBeLessThan(10_500);
        expect(gateway.neighbours.calls('reserve')).toHaveLength(0);
        silence.release();
        // What the late answer causes comes before the next request's reservation.
        expect((await call(gateway, '/v1/stores/shop.example', { key: key.secret })).status).toBe(200);
        expect(gateway.neighbours.calls('reserve')).toHaveLength(1);
      }),
  );

  it('a reservation that takes too long is answered with internal and publishes nothing', { timeout }, () =>
    withGateway({}, async (gateway, key) => {
      const usage = await collectEvents<UsageRecorded>(gateway.namespace, usageRecorded);
      const silence = gateway.neighbours.hold('reserve');
      const [answer, afterMs] = await timed(() => call(gateway, '/v1/stores/shop.example', { key: key.secret }));
      expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
      expect(afterMs).toBeLessThan(10_500);
      silence.release();
      // Events of a workspace are collected in order, so the next request's event comes after one of the late answer.
      expect((await call(gateway, '/v1/stores/shop.example', { key: key.secret })).status).toBe(200);
      const [, next] = gateway.neighbours.calls<ReserveRequest>('reserve').flatMap(({ items }) => items);
      const billed = () =>
        usage.events.map(({ event }) => event).filter((event) => event.workspaceId === key.workspaceId);
      await vi.waitFor(() => expect(billed().map(({ chargeId }) => chargeId)).toEqual([next?.chargeId]), 20_000);
      expect(gateway.neighbours.calls('recordUsage')).toHaveLength(0);
      await usage.stop();
    }),
  );

  it('a charge whose void is not known to be durable closes the connection without a status', { timeout }, () =>
    withGateway({ KAFKA_BROKERS: '127.0.0.1:1' }, async (gateway, key) => {
      const silences = ['recordUsage', 'voidCharge'].map((method) => gateway.neighbours.hold(method));
      const request = `GET /v1/stores/shop.example HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`;
      const [raw, afterMs] = await timed(() => sendRaw(gateway.port, [request], 15_000));
      expect(raw).toBe('');
      expect(afterMs).toBeLessThan(10_700);
      for (const { release } of silences) release();
    }),
  );
});
