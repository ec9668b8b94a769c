import { ManualClock } from '@shopscope/clock';
import { recordingTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { createScannerMetrics } from '../metrics.ts';
import { createEgressWatch } from './watch-egress.ts';

const broken = { reason: 'egress_broken', undecided: true };

/** A watch of two canaries; `reachable` holds the names that a probe reaches. */
function watched(names = ['one.com', 'two.com'], mapped: string[] = []) {
  const { logger, lines, registry } = recordingTelemetry('scanner');
  const clock = new ManualClock();
  const reachable = new Set(names);
  const probed: string[] = [];
  const egress = createEgressWatch({
    names,
    probe: async (name) => {
      probed.push(name);
      if (!reachable.has(name)) throw new Error('no answer');
    },
    isTestHost: (name) => mapped.includes(name),
    clock,
    metrics: createScannerMetrics(registry),
    logger,
  });
  const messages = () => lines.map(({ msg }) => msg);
  const gauge = async () => /^scanner_egress_broken(?:\{[^}]*\})? (\d)$/m.exec(await registry.metrics())?.[1];
  return { egress, clock, reachable, probed, messages, gauge };
}

describe('the watch of the own access to the web', () => {
  it('sends nothing to canaries while visits succeed', async () => {
    const { egress, probed } = watched();
    await egress.ready();
    expect(probed).toEqual([]);
  });

  it('decides after a failed visit: one canary that is reached is enough', async () => {
    const { egress, reachable, clock, gauge } = watched();
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    expect(await gauge()).toBe('0');
    reachable.delete('one.com');
    clock.advance(60_000);
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    await egress.ready();
  });

  it('pauses leasing when no canary is reached, and continues as soon as one is', async () => {
    const { egress, reachable, clock, probed, messages, gauge } = watched();
    reachable.clear();
    await expect(egress.ensureWorks('shop.com', clock.monotonicMs())).rejects.toMatchObject(broken);
    expect(await gauge()).toBe('1');
    await expect(egress.ready()).rejects.toMatchObject(broken);
    reachable.add('two.com');
    await expect(egress.ready(), 'canaries are asked every five seconds').rejects.toMatchObject(broken);
    expect(probed).toHaveLength(2);
    clock.advance(5_000);
    await egress.ready();
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    expect(await gauge()).toBe('0');
    expect(messages()).toEqual([
      'no canary can be reached: our access to the web is broken, and leasing is paused',
      'a canary can be reached again: leasing continues',
    ]);
  });

  it('does not let a visit count that began before the end of an outage', async () => {
    const { egress, reachable, clock } = watched();
    const startedMs = clock.monotonicMs();
    clock.advance(2_000);
    reachable.clear();
    await expect(egress.ensureWorks('first.com', startedMs)).rejects.toMatchObject(broken);
    reachable.add('two.com');
    clock.advance(5_000);
    await egress.ready();
    await expect(egress.ensureWorks('shop.com', startedMs)).rejects.toMatchObject(broken);
    await egress.ensureWorks('later.com', clock.monotonicMs());
  });

  it('asks the canaries once for all scans that fail at the same time, and at most every ten seconds', async () => {
    const { egress, probed, clock } = watched();
    await Promise.all(Array.from({ length: 20 }, (_, n) => egress.ensureWorks(`shop-${n}.com`, clock.monotonicMs())));
    clock.advance(9_999);
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    expect(probed).toEqual(['one.com', 'two.com']);
    clock.advance(1);
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    expect(probed).toHaveLength(4);
  });

  it('ignores visits of mapped hosts and canaries that are mapped hosts', async () => {
    const { egress, probed, reachable, clock } = watched(['one.com', 'two.com'], ['shop.test', 'one.com']);
    reachable.clear();
    await egress.ensureWorks('shop.test', clock.monotonicMs());
    await egress.ready();
    expect(probed).toEqual([]);
    await expect(egress.ensureWorks('shop.com', clock.monotonicMs())).rejects.toMatchObject(broken);
    expect(probed).toEqual(['two.com']);
  });

  it('ends a pause when every canary has become a mapped host', async () => {
    const mapped: string[] = [];
    const { egress, reachable, clock } = watched(['one.com', 'two.com'], mapped);
    reachable.clear();
    await expect(egress.ensureWorks('shop.com', clock.monotonicMs())).rejects.toMatchObject(broken);
    mapped.push('one.com', 'two.com');
    clock.advance(5_000);
    await egress.ready();
  });

  it('does nothing without canaries', async () => {
    const { egress, clock } = watched([]);
    await egress.ensureWorks('shop.com', clock.monotonicMs());
    await egress.ready();
  });
});
