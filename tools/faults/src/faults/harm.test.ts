import { expect, it } from 'vitest';
import type { Standing } from '../checker/timeline.ts';
import { kill, stand } from './harm.ts';
import type { Stage } from './scenario.ts';

it('notes when a gateway stood still, until a little after it goes on, and nothing of other parts', async () => {
  const node = { stop: () => {}, continue: () => {} };
  const standing: Standing[] = [];
  const stage = { system: { node: () => node }, standing, struck: () => {} } as unknown as Stage;
  const fromMs = performance.now();
  const heal = await stand(stage, 'gateway-2', 'mongodb');
  expect(standing).toHaveLength(1);
  expect(standing[0]).toMatchObject({ gateway: 1, toMs: Number.POSITIVE_INFINITY });
  expect(standing[0]?.fromMs).toBeGreaterThanOrEqual(fromMs);
  await heal();
  expect(standing[0]?.toMs).toBeGreaterThan(performance.now());
  expect(standing[0]?.toMs).toBeLessThan(performance.now() + 2_000);
});

it('a killed part can be well again from when its replacement was started, and the time that took is told', async () => {
  let strikes = 0;
  const killedMs = performance.now();
  const replaced = { startedMs: killedMs + 700, workingMs: killedMs + 2_700 };
  const node = { pid: 7, kill: () => {}, untilReplaced: async () => replaced };
  const figures = new Map<string, number>();
  const heal = await kill(
    {
      system: { node: () => node } as unknown as Stage['system'],
      struck: () => {
        strikes += 1;
      },
      figure: (name, value) => void figures.set(name, value),
    },
    'mongodb',
  );
  expect(strikes).toBe(1);
  expect(await heal()).toBe(replaced.startedMs);
  expect(figures.get('replacement ready after, s')).toBeCloseTo(2);
  expect(figures.get('replacement started after, s')).toBeGreaterThan(0.5);
});
