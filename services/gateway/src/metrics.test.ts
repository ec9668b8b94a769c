import { Registry } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const read = async (environment: 'live' | 'test') => {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  const before = await registry.metrics();
  metrics.observeRequest({ environment, operation: 'getStore', status: 500, fault: 'service', seconds: 1 });
  metrics.keyLookup(environment, 'hit');
  metrics.admitted(environment, 'rate_limited', 'redis');
  metrics.responseCut(environment);
  const lines = new Set(before.split('\n'));
  const added = (await registry.metrics()).split('\n').filter((line) => !lines.has(line));
  return new Set(added.map((line) => line.split(/[{ ]/)[0]));
};

it('metrics of the gateway count a test key only as a request of the test tenant', async () => {
  expect(await read('test')).toEqual(new Set(['test_tenant_requests_total']));
  const counted = ['http_requests_total', 'gateway_key_lookups_total', 'gateway_admissions_total'];
  expect([...(await read('live'))]).toEqual(expect.arrayContaining([...counted, 'http_responses_cut_total']));
});
