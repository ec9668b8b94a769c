import { expect, it } from 'vitest';
import type { Standing } from '../checker/timeline.ts';
import { stand } from './harm.ts';
import type { Stage } from './scenario.ts';

it('notes when a gateway stood still, until a little after it goes on, and nothing of other parts', async () => {
  const node = { stop: () => {}, continue: () => {} };
  const standing: Standing[] = [];
  const stage = { system: { node: () => node }, standing } as unknown as Stage;
  const fromMs = performance.now();
  const heal = await stand(stage, 'gateway-2', 'mongodb');
  expect(standing).toHaveLength(1);
  expect(standing[0]).toMatchObject({ gateway: 1, toMs: Number.POSITIVE_INFINITY });
  expect(standing[0]?.fromMs).toBeGreaterThanOrEqual(fromMs);
  await heal();
  expect(standing[0]?.toMs).toBeGreaterThan(performance.now());
  expect(standing[0]?.toMs).toBeLessThan(performance.now() + 2_000);
});
