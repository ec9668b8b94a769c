import { expect, it } from 'vitest';
import { createBodyBudget, lightBytes, maxBytes, maxBytesPerWorkspace } from './body-budget.ts';

it('a workspace gets its share of the memory for bodies and leaves the rest to others', () => {
  const budget = createBodyBudget();
  const greedy = budget.open('ws_1');
  expect(greedy.add(maxBytesPerWorkspace)).toBeUndefined();
  expect(budget.open('ws_1').add(1)).toMatchObject({ code: 'concurrency_limited', status: 503 });
  expect(budget.open('ws_2').add(maxBytesPerWorkspace)).toBeUndefined();
});

it('all workspaces together get at most the memory for bodies, and it is free again when requests have ended', () => {
  const budget = createBodyBudget();
  const shares = Array.from({ length: Math.ceil(maxBytes / lightBytes) + 1 }, (_, i) => budget.open(`ws_${i}`));
  const refusals = shares.flatMap((share) => share.add(lightBytes) ?? []);
  expect(refusals).toMatchObject([{ code: 'unavailable', status: 503 }]);
  expect(budget.bytes).toBe(maxBytes);
  for (const share of shares) {
    share.close();
    share.close();
  }
  expect(budget.bytes).toBe(0);
  expect(budget.open('ws_1').add(maxBytesPerWorkspace)).toBeUndefined();
});

it('workspaces that send much leave memory to those that send little', () => {
  const budget = createBodyBudget();
  for (let i = 0; i < 2 * (maxBytes / maxBytesPerWorkspace); i++) {
    const heavy = budget.open(`ws_${i}`);
    let refusal: unknown;
    while (!refusal) refusal = heavy.add(lightBytes);
  }
  expect(budget.open('ws_light').add(lightBytes)).toBeUndefined();
  expect(budget.open('ws_light').add(1)).toMatchObject({ code: 'unavailable', status: 503 });
});
