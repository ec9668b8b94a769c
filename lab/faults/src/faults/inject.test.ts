import { expect, it } from 'vitest';
import type { Suspension } from '../checker/timeline.ts';
import { kill, suspend } from './inject.ts';
import type { FaultContext } from './scenario.ts';

it('the suspension of a gateway is recorded until shortly after it resumes, and that of other parts is not', async () => {
  const node = { stop: () => {}, continue: () => {} };
  const suspensions: Suspension[] = [];
  const context = { system: { node: () => node }, suspensions, recordFaultStart: () => {} } as unknown as FaultContext;
  const fromMs = performance.now();
  const heal = await suspend(context, 'gateway-2', 'mongodb');
  expect(suspensions).toHaveLength(1);
  expect(suspensions[0]).toMatchObject({ gateway: 1, toMs: Number.POSITIVE_INFINITY });
  expect(suspensions[0]?.fromMs).toBeGreaterThanOrEqual(fromMs);
  await heal();
  expect(suspensions[0]?.toMs).toBeGreaterThan(performance.now());
  expect(suspensions[0]?.toMs).toBeLessThan(performance.now() + 2_000);
});

it('recovery from a kill counts from the start of the replacement, and the times to start and readiness are recorded', async () => {
  let faultStarts = 0;
  const killedMs = performance.now();
  const replaced = { startedMs: killedMs + 700, readyMs: killedMs + 2_700 };
  const node = { pid: 7, kill: () => {}, untilReplaced: async () => replaced };
  const figures = new Map<string, number>();
  const heal = await kill(
    {
      system: { node: () => node } as unknown as FaultContext['system'],
      recordFaultStart: () => {
        faultStarts += 1;
      },
      recordFigure: (name, value) => void figures.set(name, value),
    },
    'mongodb',
  );
  expect(faultStarts).toBe(1);
  expect(await heal()).toBe(replaced.startedMs);
  expect(figures.get('replacement ready after, s')).toBeCloseTo(2);
  expect(figures.get('replacement started after, s')).toBeGreaterThan(0.5);
});
