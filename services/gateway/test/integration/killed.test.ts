import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { systemClock } from '@shopscope/clock';
import type { ReserveRequest } from '@shopscope/proto';
import { nightlyUnless, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { leaseMs } from '../../src/limits/redis-limits.ts';
import { endLocks, startTestGateway, type TestGateway, testRedis } from './support/gateway.ts';
import { sendUntilLost, startGatewayProcess } from './support/gateway-process.ts';
import { call } from './support/http.ts';

let survivor: TestGateway;
beforeAll(async () => {
  survivor = await startTestGateway();
  survivor.backends.addStore('shop.example');
});
afterAll(() => survivor.stop());

const requests = [
  { name: 'enrich', path: '/v1/stores/enrich', body: { domains: ['shop.example'] } },
  { name: 'GraphQL', path: '/v1/graphql', body: { query: '{ store(domain: "shop.example") { match } }' } },
];

describe('killed gateways', { tags: ['wall-clock'] }, () => {
  // By day one operation stands for the other, because both run idempotently by the same code.
  for (const { name: operation, path, body } of requests) {
    const title = `a gateway that is killed in a request of ${operation} leaves no slot beyond 15 s, and with an Idempotency-Key the request runs again as the same charge`;
    it(title, { ...nightlyUnless(operation === 'enrich'), timeout: 120_000 }, async () => {
      const { backends, namespace } = survivor;
      backends.forgetCalls();
      const { secret, keyId, workspaceId } = backends.addKey({ plan: { concurrency: 1 } });
      const doomed = await startGatewayProcess({ backends });
      onTestFinished(doomed.kill);
      const send = (at: { url: string }, name: string) =>
        call(at, path, { key: secret, body, headers: { 'Idempotency-Key': name } });

      // The gateway is killed after metering has reserved, and before it gets the response.
      const silence = Promise.withResolvers<void>();
      backends.faults.set('reserve', async (request: ReserveRequest) => {
        await backends.metering.client.reserve(request);
        await silence.promise;
      });
      const name = randomUUID();
      const lost = sendUntilLost(() => send(doomed, name));
      await expect.poll(() => backends.calls('reserve').length).toBe(1);
      await backends.metering.reserved(workspaceId, { lookupCached: 1 });
      await doomed.kill();
      await lost;
      silence.resolve();
      backends.faults.clear();

      const redis = testRedis(namespace);
      await once(redis.client, 'ready');
      const [seconds = 0] = (await redis.client.time()).map(Number);
      const [slot = ''] = await redis.client.zrange(`slots:{${keyId}}`, '0', '-1');
      const ends = await redis.client.zscore(`slots:{${keyId}}`, slot);
      // The time is cut to the second.
      expect(Number(ends) - seconds * 1_000).toBeLessThanOrEqual(leaseMs + 1_000);
      expect(leaseMs).toBeLessThanOrEqual(15_000);
      expect((await call(survivor, '/v1/account', { key: secret })).body.error.code).toBe('concurrency_limited');

      // The slot and the lock of the killed execution end soon. Before that, a repeated request waits or gets 503.
      await redis.client.zadd(`slots:{${keyId}}`, 'XX', seconds * 1_000, slot);
      await redis.close();
      const [lockLeftMs, ...others] = await endLocks(namespace, workspaceId);
      expect(others).toEqual([]);
      expect(lockLeftMs).toBeLessThanOrEqual(15_000);
      const retries = new Set<string>();
      const succeed = async () => {
        const answer = await send(survivor, name);
        if (answer.status === 200) return answer;
        retries.add(`${answer.status} ${answer.body.error.code} ${answer.headers.get('retry-after')}`);
        return undefined;
      };
      const answer = await waitUntil('the request to run again', succeed, { timeoutMs: 60_000, intervalMs: 200 });
      for (const retry of retries) expect(['503 concurrency_limited 1', '503 unavailable 1']).toContain(retry);
      const again = await send(survivor, name);
      expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', answer.text]);
      const charges = backends
        .calls<ReserveRequest>('reserve')
        .flatMap(({ items }) => items.map(({ chargeId }) => chargeId));
      expect([charges.length, new Set(charges).size]).toEqual([2, 1]);
      await backends.metering.counted(workspaceId, { lookupCached: 1 });
    });
  }
});

it('the clock continues while its process is stopped, so that cached keys expire meanwhile', {
  tags: ['wall-clock'],
}, async () => {
  const program = `
    import { systemClock } from '@shopscope/clock';
    setInterval(() => console.log(systemClock.monotonicMs()), 20);`;
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', '--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [lastMs, longestStepMs] = [Number.POSITIVE_INFINITY, 0];
  createInterface(child.stdout).on('line', (line) => {
    longestStepMs = Math.max(longestStepMs, Number(line) - lastMs);
    lastMs = Number(line);
  });
  await waitUntil('the first time', () => lastMs < Number.POSITIVE_INFINITY);
  child.kill('SIGSTOP');
  const state = () => execFileSync('ps', ['-o', 'stat=', '-p', String(child.pid)], { encoding: 'utf8' });
  await waitUntil('the process to be stopped', () => state().startsWith('T'));
  const stoppedMs = systemClock.monotonicMs();
  const leftMs = () => stoppedMs + 1_500 - systemClock.monotonicMs();
  await waitUntil('this process to see 1.5 s pass', () => leftMs() <= 0);
  child.kill('SIGCONT');
  await waitUntil('a step of the clock as long as the stop', () => longestStepMs >= 1_500);
});
