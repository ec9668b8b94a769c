import { expect, it } from 'vitest';
import { createBodyBudget, maxBytes, maxBytesPerWorkspace } from './body-budget.ts';

it('a workspace gets its share of the memory for bodies and leaves the rest to others', () => {
  const budget = createBodyBudget();
  const greedy = budget.open('ws_1');
  expect(greedy.add(maxBytesPerWorkspace)).toBeUndefined();
  expect(budget.open('ws_1').add(1)).toMatchObject({ code: 'concurrency_limited', status: 503 });
  expect(budget.open('ws_2').add(maxBytesPerWorkspace)).toBeUndefined();
});

it('all workspaces together get at most the memory for bodies, and it is free again when requests have ended', () => {
  const budget = createBodyBudget();
  const shares = Array.from({ length: Math.ceil(maxBytes / maxBytesPerWorkspace) }, (_, i) => budget.open(`ws_${i}`));
  const refusals = shares.flatMap((share) => share.add(maxBytesPerWorkspace) ?? []);
  expect(refusals).toMatchObject([{ code: 'unavailable', status: 503 }]);
  expect(budget.bytes).toBeLessThanOrEqual(maxBytes);
  for (const share of shares) {
    share.close();
    share.close();
  }
  expect(budget.bytes).toBe(0);
  expect(budget.open('ws_1').add(maxBytesPerWorkspace)).toBeUndefined();
});
