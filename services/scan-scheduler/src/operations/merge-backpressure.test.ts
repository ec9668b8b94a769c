import { ManualClock } from '@shopscope/clock';
import type { Offsets } from '@shopscope/kafka';
import { silentTelemetry } from '@shopscope/testing';
import { expect, it } from 'vitest';
import { createMetrics } from '../metrics.ts';
import type { LeasedScan } from './lease-scan.ts';
import { createMergeBackpressure } from './merge-backpressure.ts';

const scan = { id: 'scan_1' } as LeasedScan;

function setUp() {
  const clock = new ManualClock();
  const topic = { end: 0n, read: 0n, isAvailable: true };
  const at = async (offset: bigint): Promise<Offsets> => {
    if (!topic.isAvailable) throw new Error('no broker');
    return new Map([
      [0, offset],
      [1, 40n],
    ]);
  };
  const metrics = createMetrics(silentTelemetry().registry);
  const observations = { ends: () => at(topic.end), consumed: () => at(topic.read) };
  const pressure = createMergeBackpressure({ observations, clock, metrics, maxLag: 500 });
  /** The number of leases in a time in which scanners always ask. */
  const leasesIn = async (ms: number) => {
    let leases = 0;
    for (let passedMs = 0; passedMs < ms; passedMs += 250) {
      for (let scanner = 0; scanner < 10; scanner++) if (await pressure.pace(async () => scan)) leases++;
      clock.advance(250);
    }
    return leases;
  };
  return { clock, topic, pressure, metrics, leasesIn };
}

it('leasing is not slowed down while profiles keeps up', async () => {
  const { topic, pressure, leasesIn } = setUp();
  expect(await leasesIn(1_000)).toBe(40);
  topic.end = 500n;
  await pressure.measure();
  expect(await leasesIn(1_000)).toBe(40);
});

it('leasing slows down to one lease in ten seconds while profiles is unavailable for eight minutes', async () => {
  const { topic, pressure, metrics, leasesIn } = setUp();
  for (let second = 0; second < 480; second += 5) {
    topic.end += BigInt(await leasesIn(5_000));
    await pressure.measure();
  }
  expect(topic.end).toBeLessThan(900n);
  topic.end = 5_000n;
  await pressure.measure();
  expect((await metrics.mergeLag.get()).values[0]?.value).toBe(5_000);
  expect(await leasesIn(60_000)).toBe(6);
});

it('leasing is fast again after profiles has caught up, and stays as it was while Kafka does not respond', async () => {
  const { topic, pressure, leasesIn } = setUp();
  topic.end = 5_000n;
  await pressure.measure();
  topic.isAvailable = false;
  await expect(pressure.measure()).rejects.toThrow('no broker');
  expect(await leasesIn(20_000)).toBe(2);
  Object.assign(topic, { isAvailable: true, read: 5_000n });
  await pressure.measure();
  expect(await leasesIn(1_000)).toBe(40);
});

it('a search without a due scan does not start a pause', async () => {
  const { topic, pressure } = setUp();
  topic.end = 5_000n;
  await pressure.measure();
  expect(await pressure.pace(async () => null)).toBeNull();
  expect(await pressure.pace(async () => scan)).toBe(scan);
});
