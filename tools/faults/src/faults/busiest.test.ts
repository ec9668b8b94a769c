import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { busiestMetering, consumedOf } from './busiest.ts';
import type { Stage } from './scenario.ts';

const line = (topic: string, count: number) => `kafka_consumed_total{topic="${topic}",outcome="ok"} ${count}\n`;

it('counts usage events whatever their outcome, and no others', () => {
  const text = `${line('usage.v1', 3)}kafka_consumed_total{outcome="dead",topic="usage.v1"} 2\n${line('other.v1', 9)}`;
  expect(consumedOf(text)).toBe(5);
  expect(consumedOf('')).toBe(0);
});

it('aims at the instance that consumes now, not at the one that has consumed most', async () => {
  let looks = 0;
  const server = createServer(({ url }, response) => {
    looks += 1;
    response.end(line('usage.v1', url?.startsWith('/1/') ? 1_000 : looks));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const adminUrls = new Map([1, 2].map((n) => [`metering-${n}`, `${base}/${n}`]));
    const system = { adminUrls } as unknown as Stage['system'];
    expect(await busiestMetering({ system, random: createRandom(1) }, 0)).toBe('metering-2');
  } finally {
    server.close();
  }
});
