import { expect, it } from 'vitest';
import type { Attempt } from '../clients/history.ts';
import { findDifferingRetries } from './differing-retries.ts';

it('two successes under one Idempotency-Key with different billed units or jobs are reported', () => {
  const success = (lookupCached: number, jobId: string): Attempt => ({
    gateway: 0,
    startMs: 0,
    endMs: 1,
    wallOffsetMs: 0,
    outcome: 'ok',
    status: 200,
    code: '',
    retryAfterS: null,
    billed: { lookupCached, lookupLive: 0 },
    jobs: [{ id: jobId, domain: 'a.example' }],
    replayed: false,
  });
  const problems = (second: Attempt, responsesStored = true) => {
    const mayBill = { lookupCached: 1, lookupLive: 0 };
    const named = { id: 1, kind: 'enrich', workspaceId: 'ws_1', keyId: 'key_1', idempotencyKey: 'a' } as const;
    const operation = { ...named, mayBill, attempts: [success(1, 'job_1'), second] };
    return findDifferingRetries([operation], { responsesStored }).length;
  };
  expect(problems(success(1, 'job_1'))).toBe(0);
  expect(problems(success(1, 'job_2'))).toBe(1);
  expect(problems(success(1, 'job_2'), false)).toBe(0);
  expect(problems(success(0, 'job_1'), false)).toBe(1);
});
