import { expect, it } from 'vitest';
import { metricsOf, Registry } from './index.ts';

const collect = () => {};

it('two clients that create the same metric count into one', async () => {
  const registry = new Registry();
  for (const { counter } of [metricsOf(registry), metricsOf(registry)]) {
    counter('calls_total', 'Calls', ['outcome']).inc({ outcome: 'answered' });
  }
  expect(await registry.metrics()).toContain('calls_total{outcome="answered"} 2');
});

it('a name that is another kind of metric already is refused', () => {
  const { counter, gauge } = metricsOf(new Registry());
  counter('calls', 'Calls');
  expect(() => gauge('calls', 'Open calls')).toThrow('another kind of metric');
});

it('a collected gauge has its current values at each scrape, even when they come later', async () => {
  const registry = new Registry();
  let open = 1;
  metricsOf(registry).collectedGauge(
    'connections',
    'Open connections',
    async (gauge) => {
      await Promise.resolve();
      gauge.set({ by: 'address' }, open);
    },
    ['by'],
  );
  expect(await registry.metrics()).toContain('connections{by="address"} 1');
  open = 2;
  expect(await registry.metrics()).toContain('connections{by="address"} 2');
});

it('a second gauge of the name of a collected one is refused, because its values would never be read', () => {
  const { collectedGauge } = metricsOf(new Registry());
  collectedGauge('connections', 'Open connections', collect);
  expect(() => collectedGauge('connections', 'Open connections', collect)).toThrow('already been registered');
});
