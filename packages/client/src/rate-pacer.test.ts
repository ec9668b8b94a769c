import { expect, test } from 'vitest';
import { failure, json, startScriptedService } from '../test/scripted-service.ts';
import { createClientOn } from './client.ts';
import { platform } from './platform.ts';
import { createRatePacer } from './rate-pacer.ts';

const window = (remaining: number, resetS: number, limit = 2) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetS),
});

function createPacer() {
  const clock = { nowMs: 0 };
  const sleep = async (ms: number) => {
    clock.nowMs += ms;
  };
  return { clock, pacer: createRatePacer({ nowMs: () => clock.nowMs, random: () => 0, sleep }) };
}

test('a request waits for the next minute when the minute is spent', async () => {
  await using service = await startScriptedService([
    json(200, {}, window(1, 40)),
    json(200, {}, window(0, 40)),
    json(200, {}, window(1, 60)),
  ]);
  await service.client.getUsage();
  await service.client.getUsage();
  expect(service.pauses).toEqual([]);
  await service.client.getUsage();
  expect(service.pauses).toEqual([40_000]);
});

test('requests in flight count against the rate limit', async () => {
  const { pacer, clock } = createPacer();
  await pacer.begin();
  pacer.ended(new Headers(window(1, 30)));
  await pacer.begin();
  expect(clock.nowMs).toBe(0);
  await pacer.begin();
  expect(clock.nowMs).toBe(30_000);
});

test('a response without headers of the rate limit delays no request', async () => {
  await using service = await startScriptedService([json(200, {})]);
  for (let n = 0; n < 5; n++) await service.client.getUsage();
  expect(service.pauses).toEqual([]);
});

test('other requests wait too after a 429', async () => {
  const { pacer, clock } = createPacer();
  pacer.refused(12_000);
  await pacer.begin();
  expect(clock.nowMs).toBe(12_000);
});

test.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('a clock of the machine that jumps %s between two requests changes no pause', async (_, jumpMs) => {
  await using service = await startScriptedService([
    json(200, {}, window(0, 40)),
    failure(503, 'unavailable', { 'Retry-After': '5' }),
  ]);
  const pauses: number[] = [];
  const stopped = new Error('the first pause');
  const sleep = async (ms: number) => {
    pauses.push(ms);
    throw stopped;
  };
  const client = createClientOn({ ...platform, sleep }, { apiKey: 'svc_live_x', baseUrl: service.url });
  await client.getUsage();
  const before = Date.now;
  Date.now = () => before() + jumpMs;
  try {
    await expect(client.getUsage()).rejects.toBe(stopped);
  } finally {
    Date.now = before;
  }
  expect(pauses[0]).toBeGreaterThan(0);
  expect(pauses[0]).toBeLessThanOrEqual(40_000);
});
