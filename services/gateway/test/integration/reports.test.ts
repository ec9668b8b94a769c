import { type Clock, dayMs, systemClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import {
  type GatewayAck,
  GatewayReport,
  gatewayAck,
  type KeyActivity,
  KeyChange,
  KeyStatus,
  keyActivity,
} from '@shopscope/proto';
import { startTcpProxy, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backends, startBackends } from './support/backends.ts';
import {
  collectEvents,
  publishKeyChange,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/gateway.ts';
import { call } from './support/http.ts';

const { SERVING, KEY_CHANGE_APPLIED, STOPPING } = GatewayReport;

let backends: Backends;
let collectedAcks: Awaited<ReturnType<typeof collectEvents<GatewayAck>>>;
let collectedActivity: Awaited<ReturnType<typeof collectEvents<KeyActivity>>>;
beforeAll(async () => {
  backends = await startBackends();
  collectedAcks = await collectEvents(backends.namespace, gatewayAck);
  collectedActivity = await collectEvents(backends.namespace, keyActivity);
});
afterAll(async () => {
  await collectedAcks.stop();
  await collectedActivity.stop();
  await backends.stop();
});

const acksOf = (instance: string) =>
  collectedAcks.events.map(({ event }) => event).filter(({ instanceId }) => instanceId === instance);
const activityOf = (key: { keyId: string }) =>
  collectedActivity.events.map(({ event }) => event).filter(({ keyId }) => keyId === key.keyId);
/** The counts of all reports about a key, as a consumer adds them up. */
function totalsOf(key: { keyId: string }) {
  const totals = { succeeded: 0, clientErrors: 0, serverErrors: 0, limited: 0 };
  const counted = new Set<string>();
  for (const report of activityOf(key)) {
    const id = `${report.instanceId}/${report.sequence}`;
    if (counted.has(id)) continue;
    counted.add(id);
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name];
  }
  return totals;
}

async function withGateway(
  options: Omit<TestGatewayOptions, 'backends'>,
  use: (gateway: TestGateway, instance: string) => Promise<void>,
): Promise<void> {
  const instance = options.env?.INSTANCE_ID ?? `gateway-${newApiKey('test').slice(9, 17)}`;
  const gateway = await startTestGateway({ ...options, backends, env: { INSTANCE_ID: instance, ...options.env } });
  try {
    await use(gateway, instance);
  } finally {
    await gateway.stop();
  }
}

const account = (gateway: TestGateway, key: string) => call(gateway, '/v1/account', { key });

describe('acknowledgements', () => {
  it('a gateway reports that it serves, that it refuses a revoked key from then on, and that it stops', async () => {
    const { secret, keyId, workspaceId } = backends.addKey();
    let name = '';
    await withGateway({}, async (gateway, instance) => {
      name = instance;
      await waitUntil('the gateway to say that it serves', () => acksOf(instance).length > 0);
      expect((await account(gateway, secret)).status).toBe(200);
      backends.setStatus(secret, KeyStatus.REVOKED);
      expect((await account(gateway, secret)).status).toBe(200);
      backends.forgetCalls();
      // Events of one workspace are read in order, so these would be acknowledged first.
      await publishKeyChange(backends.namespace, { workspaceId, keyId: 'key_before', atMs: Date.now() - 300_001 });
      const expiring = { change: KeyChange.KEY_EXPIRING, expiresAtMs: Date.now() + dayMs, daysLeft: 1 };
      await publishKeyChange(backends.namespace, { workspaceId, keyId: 'key_expiring', ...expiring });
      const changedAtMs = Date.now();
      await publishKeyChange(backends.namespace, { workspaceId, keyId, atMs: changedAtMs });
      await waitUntil('the acknowledgement', () =>
        acksOf(instance).some(({ report }) => report === KEY_CHANGE_APPLIED),
      );
      expect((await account(gateway, secret)).status).toBe(401);
      expect(backends.calls('verifyKey')).toHaveLength(1);
      const applied = acksOf(instance).filter(({ report }) => report === KEY_CHANGE_APPLIED);
      expect(applied).toEqual([
        {
          report: KEY_CHANGE_APPLIED,
          instanceId: instance,
          atMs: expect.any(Number),
          change: KeyChange.KEY_REVOKED,
          workspaceId,
          keyId,
          changedAtMs,
        },
      ]);
      expect(applied[0]?.atMs).toBeGreaterThanOrEqual(changedAtMs);
    });
    await waitUntil('the gateway to say that it stops', () => acksOf(name).at(-1)?.report === STOPPING);
    expect(acksOf(name)[0]?.report).toBe(SERVING);
  });

  it('every gateway acknowledges a key change', async () => {
    const { keyId, workspaceId } = backends.addKey();
    await withGateway({}, (_, first) =>
      withGateway({}, async (_, second) => {
        await publishKeyChange(backends.namespace, { workspaceId, keyId, change: KeyChange.KEY_CREATED });
        for (const instance of [first, second])
          await waitUntil(`the acknowledgement of ${instance}`, () =>
            acksOf(instance).some((ack) => ack.keyId === keyId && ack.change === KeyChange.KEY_CREATED),
          );
      }),
    );
  });
});

describe('key activity', () => {
  it('the activity of a key has every response to it by class, and arrives when the gateway stops at the latest', async () => {
    const key = backends.addKey({ plan: { rpm: 8 } });
    const idle = backends.addKey();
    const statuses: number[] = [];
    const startedAtMs = Date.now();
    await withGateway({}, async (gateway) => {
      const read = async (path: string) => statuses.push((await call(gateway, path, { key: key.secret })).status);
      backends.faults.set('getUsage', () => {
        throw new Error('away');
      });
      await read('/v1/usage');
      backends.faults.clear();
      await read('/v1/account');
      await read('/v1/nothing');
      // More requests than two minutes admit, so that some are limited even if a minute ends meanwhile.
      for (let i = 0; i < 20; i++) await read('/v1/account');
      await call(gateway, '/v1/health');
      await call(gateway, '/v1/account', { key: newApiKey('live') });
    });
    const among = (from: number, to: number) => statuses.filter((status) => status >= from && status < to).length;
    const expected = {
      succeeded: among(200, 400),
      clientErrors: among(400, 500),
      serverErrors: among(500, 600),
      limited: among(429, 430),
    };
    expect(Object.values(expected).filter((count) => count === 0)).toEqual([]);
    await expect.poll(() => totalsOf(key)).toEqual(expected);
    for (const { workspaceId, lastUsedAtMs, hourStartMs } of activityOf(key)) {
      expect(workspaceId).toBe(key.workspaceId);
      expect(lastUsedAtMs).toBeGreaterThanOrEqual(startedAtMs);
      expect(hourStartMs % 3_600_000).toBe(0);
    }
    expect(activityOf(idle)).toEqual([]);
  });

  it('the activity of a key is separate for each process when a gateway starts again under its name', async () => {
    const key = backends.addKey();
    const env = { INSTANCE_ID: 'gateway-again' };
    for (let i = 0; i < 2; i++) {
      await withGateway({ env }, async (gateway) => {
        expect((await account(gateway, key.secret)).status).toBe(200);
      });
    }
    await expect.poll(() => totalsOf(key).succeeded).toBe(2);
    const processes = new Set(activityOf(key).map(({ instanceId }) => instanceId));
    expect([...processes].filter((id) => /^gateway-again\.[0-9a-f]{8}$/.test(id))).toHaveLength(2);
  });

  it('the activity of a key without Kafka arrives later, each request once, and no request is affected', async () => {
    const key = backends.addKey();
    const proxy = await startTcpProxy(new URL(`tcp://${backends.namespace.brokers[0]}`));
    await proxy.refuse();
    // The pauses of the reports pass quickly; all other pauses are shorter.
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, abort) => systemClock.sleep(ms >= 9_000 ? 100 : ms, abort),
    };
    const env = { KAFKA_BROKERS: `127.0.0.1:${proxy.port}` };
    await withGateway({ env, clock, startsWithoutKafka: true }, async (gateway, instance) => {
      const failed = async () => {
        const metrics = await (await fetch(`${gateway.service.adminUrl}/metrics`)).text();
        return /gateway_reports_total\{[^}]*topic="key-activity.v1",outcome="failed"[^}]*\} [1-9]/.test(metrics);
      };
      expect((await account(gateway, key.secret)).status).toBe(200);
      await waitUntil('a report to fail', failed);
      for (let i = 0; i < 4; i++) expect((await account(gateway, key.secret)).status).toBe(200);
      expect(activityOf(key)).toEqual([]);
      await proxy.accept();
      await expect.poll(() => totalsOf(key).succeeded).toBe(5);
      await waitUntil('the gateway to say that it serves', () =>
        acksOf(instance).some(({ report }) => report === SERVING),
      );
    });
    await proxy.close();
  });
});
