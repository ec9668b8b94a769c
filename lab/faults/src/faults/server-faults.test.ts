import { expect, it } from 'vitest';
import type { FaultContext } from './scenario.ts';
import { afterFailover, recoversAfterHeal, serverRecovered } from './server-faults.ts';

function recorder() {
  const figures = new Map<string, number>();
  const context = {
    recordFaultStart: () => {},
    recordFigure: (name: string, value: number) => void figures.set(name, value),
  } as unknown as FaultContext;
  return { context, figures };
}

it('recovery counts from the election during the fault, also if the killed node is started much later', async () => {
  const { context, figures } = recorder();
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const electedMs = performance.now() + 3_000;
  const recovered = Promise.resolve(electedMs);
  const heal = afterFailover(context, { recovered, heal: step('started'), untilWhole: step('whole') });
  expect(steps).toEqual([]);
  expect(await heal()).toBe(electedMs);
  expect(steps).toEqual(['started', 'whole']);
  expect(figures.get(serverRecovered)).toBeCloseTo(3, 1);
});

it('a server that does not recover makes the end of the fault fail, and nothing before it', async () => {
  const { context } = recorder();
  const heal = afterFailover(context, {
    recovered: Promise.reject(new Error('no primary')),
    untilWhole: async () => {},
  });
  await new Promise((done) => setImmediate(done));
  await expect(heal()).rejects.toThrow('no primary');
});

it('recovery counts from the recovery of the server after the end of a fault that the server cannot survive', async () => {
  const { context, figures } = recorder();
  let healed = false;
  const heal = recoversAfterHeal(context, {
    heal: async () => {
      healed = true;
    },
    recovered: async () => (healed ? performance.now() + 2_000 : Number.NaN),
  });
  expect(await heal()).toBeGreaterThan(0);
  expect(figures.get(serverRecovered)).toBeCloseTo(2, 1);
});
