import { expect, it } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import { createLocalLimits } from '../outbound/memory/local-limits.ts';
import { createAdmission } from './admit.ts';

const minute = 1_760_000_040_000;
const caller = { keyId: 'key_1', plan: { rpm: 10, concurrency: 4 } } as Caller;

it('a key whose rate is spent is refused for the rest of the minute without a call of Redis', async () => {
  let nowMs = minute;
  let calls = 0;
  const decisions: string[] = [];
  const admission = createAdmission({
    shared: {
      admit: async () => {
        calls += 1;
        return { outcome: 'rate_limited', remaining: 0, resetSeconds: 60, release: () => {} };
      },
    },
    local: createLocalLimits({ now: () => nowMs, replicas: 1 }),
    onDecision: (outcome, by) => decisions.push(`${outcome} by ${by}`),
  });
  expect(admission.isSpent(caller)).toBe(false);
  await admission.decide(caller);
  expect(admission.isSpent(caller)).toBe(true);
  nowMs += 59_000;
  expect(await admission.decide(caller)).toMatchObject({ outcome: 'rate_limited', remaining: 0, resetSeconds: 1 });
  expect(calls).toBe(1);
  nowMs += 1_000;
  expect(admission.isSpent(caller)).toBe(false);
  await admission.decide(caller);
  expect(calls).toBe(2);
  expect(decisions).toEqual(['rate_limited by redis', 'rate_limited by memory', 'rate_limited by redis']);
});
