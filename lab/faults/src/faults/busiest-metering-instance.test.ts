import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { pickBusiestMeteringInstance } from './busiest-metering-instance.ts';
import type { FaultContext } from './scenario.ts';

const line = (topic: string, count: number) => `kafka_consumed_total{topic="${topic}",outcome="ok"} ${count}\n`;

it('the fault targets the instance that consumes now, not the one that has consumed most', async () => {
  let reads = 0;
  const server = createServer(({ url }, response) => {
    reads += 1;
    response.end(line('usage.v1', url?.startsWith('/1/') ? 1_000 : reads));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const adminUrls = new Map([1, 2].map((n) => [`metering-${n}`, `${base}/${n}`]));
    const system = { adminUrls } as unknown as FaultContext['system'];
    expect(await pickBusiestMeteringInstance({ system, random: createRandom(1) }, 0)).toBe('metering-2');
  } finally {
    server.close();
  }
});
