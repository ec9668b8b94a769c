import { ManualClock } from '@shopscope/clock';
import { recordingTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics.ts';
import { createEgressWatch } from './watch-egress.ts';

const broken = { reason: 'egress_broken', undecided: true };

const turn = () => new Promise((resolve) => setImmediate(resolve));

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
    metrics: createMetrics(registry),
    logger,
  });
  /** The decision about a visit of `domain` that failed now. */
  const ensure = (domain = 'shop.com', startedMs = clock.monotonicMs()) =>
    egress.ensureWorks(domain, startedMs, new AbortController().signal);
  const messages = () => lines.map(({ msg }) => msg);
  const gauge = async () => /^scanner_egress_broken(?:\{[^}]*\})? (\d)$/m.exec(await registry.metrics())?.[1];
  return { egress, ensure, clock, reachable, probed, messages, gauge };
}

describe('watch of egress', () => {
  it('the watch of egress sends nothing to canaries while visits succeed', async () => {
    const { egress, probed } = watched();
    egress.connected();
    await egress.ready();
    expect(probed).toEqual([]);
  });

  it('the watch of egress decides after a failed visit: one canary that is reached is enough', async () => {
    const { egress, ensure, reachable, clock, gauge } = watched();
    await ensure();
    expect(await gauge()).toBe('0');
    reachable.delete('one.com');
    clock.advance(60_000);
    await ensure();
    await egress.ready();
  });

  it('the watch of egress pauses leasing when no canary is reached, and continues as soon as one is', async () => {
    const { egress, ensure, reachable, clock, probed, messages, gauge } = watched();
    reachable.clear();
    await expect(ensure()).rejects.toMatchObject(broken);
    expect(await gauge()).toBe('1');
    await expect(egress.ready()).rejects.toMatchObject(broken);
    reachable.add('two.com');
    await expect(egress.ready(), 'canaries are asked every five seconds').rejects.toMatchObject(broken);
    expect(probed).toHaveLength(2);
    clock.advance(5_000);
    await egress.ready();
    expect(await gauge()).toBe('0');
    expect(messages()).toEqual([
      'no canary can be reached: our access to the web is broken, and leasing is paused',
      'a host can be reached again: leasing continues',
    ]);
  });

  it('the watch of egress probes the canaries again after a failure that is later than the latest reached canary', async () => {
    const { ensure, reachable, clock } = watched();
    await ensure('first.com');
    reachable.clear();
    clock.advance(1);
    const decided = expect(ensure('second.com')).rejects.toMatchObject(broken);
    await turn();
    clock.advance(5_000);
    await decided;
  });

  it('the watch of egress takes a connection to another host as proof, without a request to canaries', async () => {
    const { egress, ensure, clock, probed } = watched();
    await ensure('first.com');
    expect(probed).toHaveLength(2);
    clock.advance(1_000);
    let decisions = 0;
    const decided = ensure('second.com').then(() => decisions++);
    await turn();
    expect(decisions, 'nothing was reached since the failure').toBe(0);
    egress.connected();
    await decided;
    clock.advance(60_000);
    await turn();
    expect(probed).toHaveLength(2);
  });

  it('an aborted scan does not wait for a canary', async () => {
    const { egress, ensure, clock } = watched();
    await ensure();
    const abort = new AbortController();
    const waiting = egress.ensureWorks('shop.com', clock.monotonicMs(), abort.signal);
    abort.abort(new Error('the scanner is stopping'));
    await expect(waiting).rejects.toThrow('the scanner is stopping');
  });

  it('the watch of egress rejects a visit that began before the end of an outage', async () => {
    const { egress, ensure, reachable, clock } = watched();
    const startedMs = clock.monotonicMs();
    clock.advance(2_000);
    reachable.clear();
    await expect(ensure('first.com', startedMs)).rejects.toMatchObject(broken);
    reachable.add('two.com');
    clock.advance(5_000);
    await egress.ready();
    await expect(ensure('shop.com', startedMs)).rejects.toMatchObject(broken);
    clock.advance(5_000);
    await ensure('later.com');
  });

  it('the watch of egress asks the canaries once for all scans that fail together, and at most every five seconds', async () => {
    const { ensure, probed, clock } = watched();
    await Promise.all(Array.from({ length: 20 }, (_, n) => ensure(`shop-${n}.com`)));
    expect(probed).toEqual(['one.com', 'two.com']);
    const later = Promise.all(Array.from({ length: 20 }, (_, n) => ensure(`shop-${n}.com`)));
    await turn();
    clock.advance(4_999);
    await turn();
    expect(probed).toHaveLength(2);
    clock.advance(1);
    await later;
    expect(probed).toHaveLength(4);
  });

  it('the watch of egress ignores visits of mapped hosts and canaries that are mapped hosts', async () => {
    const { egress, ensure, probed, reachable } = watched(['one.com', 'two.com'], ['shop.test', 'one.com']);
    reachable.clear();
    await ensure('shop.test');
    await egress.ready();
    expect(probed).toEqual([]);
    await expect(ensure()).rejects.toMatchObject(broken);
    expect(probed).toEqual(['two.com']);
  });

  it('the watch of egress ends a pause when every canary has become a mapped host', async () => {
    const mapped: string[] = [];
    const { egress, ensure, reachable, clock } = watched(['one.com', 'two.com'], mapped);
    reachable.clear();
    await expect(ensure()).rejects.toMatchObject(broken);
    mapped.push('one.com', 'two.com');
    clock.advance(5_000);
    await egress.ready();
  });

  it('the watch of egress does nothing without canaries', async () => {
    const { egress, ensure } = watched([]);
    await ensure();
    await egress.ready();
  });
});
