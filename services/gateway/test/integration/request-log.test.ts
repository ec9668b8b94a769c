import { newApiKey } from '@shopscope/ids';
import { type CompletedRequest, type RequestsCompleted, requestsCompleted } from '@shopscope/proto';
import { startTcpProxy, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backends, startBackends } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

let backends: Backends;
let collected: Awaited<ReturnType<typeof collectEvents<RequestsCompleted>>>;
beforeAll(async () => {
  backends = await startBackends();
  collected = await collectEvents(backends.namespace, requestsCompleted.live);
});
afterAll(async () => {
  await collected.stop();
  await backends.stop();
});

const loggedOf = (workspace: { workspaceId: string }): CompletedRequest[] =>
  collected.events
    .map(({ event }) => event)
    .filter(({ workspaceId }) => workspaceId === workspace.workspaceId)
    .flatMap(({ requests }) => requests);

async function withGateway(
  env: Record<string, string>,
  use: (gateway: TestGateway) => Promise<void>,
  { startsWithoutKafka = false } = {},
): Promise<void> {
  const gateway = await startTestGateway({ backends, env, startsWithoutKafka });
  try {
    await use(gateway);
  } finally {
    await gateway.stop();
  }
}

const metric = async ({ service }: TestGateway, pattern: RegExp) =>
  pattern.test(await (await fetch(`${service.adminUrl}/metrics`)).text());

describe('requests.v1', () => {
  it('requests.v1 has every request with a valid key, and no other', async () => {
    const key = backends.addKey();
    await withGateway({}, async (gateway) => {
      const startedAtMs = Date.now();
      const account = await call(gateway, '/v1/account', { key: key.secret });
      const chosen = { 'X-Request-Id': 'import-0001' };
      await call(gateway, '/v1/technologies?limit=500&token=hunter2', { key: key.secret, headers: chosen });
      await call(gateway, '/v1/nothing', { key: key.secret });
      await call(gateway, '/v1/health');
      await call(gateway, '/v1/account', { key: newApiKey('live') });
      await waitUntil('three requests', () => loggedOf(key).length >= 3);
      const [first, second, third] = loggedOf(key);
      expect(first).toMatchObject({
        id: '',
        requestId: account.headers.get('x-request-id'),
        keyId: key.keyId,
        operation: 'getAccount',
        method: 'GET',
        path: '/v1/account',
        pathTemplate: '/v1/account',
        status: 200,
        errorCode: '',
      });
      expect(first?.startedAtMs).toBeGreaterThanOrEqual(startedAtMs);
      expect(first?.durationUs).toBeGreaterThan(0);
      expect(first?.keyPrefix).toMatch(/^svc_live_.{4}$/);
      expect(second).toMatchObject({
        id: expect.stringMatching(/^req_/),
        requestId: 'import-0001',
        status: 400,
        errorCode: 'invalid_request',
        query: 'limit=500&token=HIDDEN',
      });
      expect(third).toMatchObject({ operation: '', path: '/v1/nothing', status: 404, errorCode: 'not_found' });
    });
    expect(loggedOf(key)).toHaveLength(3);
    expect(JSON.stringify(collected.events.map(({ event }) => event))).not.toContain(key.secret);
  });

  it('requests.v1 has the requests of the last moment when the gateway stops', async () => {
    const key = backends.addKey();
    await withGateway({}, async (gateway) => {
      for (let i = 0; i < 5; i++) await call(gateway, '/v1/account', { key: key.secret });
    });
    await expect.poll(() => loggedOf(key).length).toBe(5);
  });

  it('requests.v1 has nothing when REQUEST_LOG is false', async () => {
    const [off, on] = [backends.addKey(), backends.addKey()];
    await withGateway({ REQUEST_LOG: 'false' }, async (gateway) => {
      expect((await call(gateway, '/v1/account', { key: off.secret })).status).toBe(200);
    });
    await withGateway({}, async (gateway) => {
      expect((await call(gateway, '/v1/account', { key: on.secret })).status).toBe(200);
    });
    await waitUntil('the later request', () => loggedOf(on).length === 1);
    expect(loggedOf(off)).toEqual([]);
  });

  it('the request log keeps requests while Kafka is unavailable, counts none as dropped, and publishes them afterwards', async () => {
    const key = backends.addKey();
    const proxy = await startTcpProxy(new URL(`tcp://${backends.namespace.brokers[0]}`));
    await proxy.refuse();
    const use = async (gateway: TestGateway) => {
      const requestIds = [];
      for (let i = 0; i < 3; i++) {
        const { status, headers } = await call(gateway, '/v1/account', { key: key.secret });
        expect(status).toBe(200);
        requestIds.push(headers.get('x-request-id'));
      }
      await waitUntil('refused attempts', () =>
        metric(gateway, /kafka_published_total\{[^}]*topic="requests\.v1"[^}]*outcome="failed"[^}]*\} [1-9]/),
      );
      await proxy.accept();
      // A request whose acknowledgement was lost is published twice.
      const published = () => [...new Set(loggedOf(key).map(({ requestId }) => requestId))];
      await waitUntil('the earlier requests', () => published().length >= 3);
      expect(published()).toEqual(requestIds);
      expect(await metric(gateway, /requests_dropped_total\{[^}]*\} [1-9]/)).toBe(false);
    };
    await withGateway({ KAFKA_BROKERS: `127.0.0.1:${proxy.port}` }, use, { startsWithoutKafka: true });
    await proxy.close();
  });
});
