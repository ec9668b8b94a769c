import { ManualClock } from '@shopscope/clock';
import { expect, it, vi } from 'vitest';
import { createBudget } from '../domain/budget.ts';
import type { Caller } from '../domain/caller.ts';
import { unitsOf } from '../domain/units.ts';
import { createEnrichStores } from './enrich-stores.ts';

it('a retry of a settled charge asks for no scan that the charge did not pay for', async () => {
  const clock = new ManualClock();
  const claims = {
    jobs: new Map([
      ['paid.example', 'job_paid'],
      ['stale-since.example', 'job_new'],
    ]),
    claimed: ['stale-since.example', 'paid.example'],
    created: new Set(['stale-since.example']),
  };
  const requestScans = {
    claim: async () => claims,
    publish: vi.fn(async (_: unknown, published: { claimed: readonly string[] }) => void published),
    release: vi.fn(async () => {}),
  };
  const enrich = createEnrichStores({
    profiles: { lookUpMany: async (domains) => domains.map(() => undefined) },
    requestScans,
    clock,
    chargeUnits: async ({ beforeCommit }) => {
      const units = unitsOf({ lookupLive: 1 });
      await beforeCommit?.(units);
      return { units, remaining: 9, undo: async () => {} };
    },
  });
  const { body } = await enrich({
    inputs: ['paid.example', 'stale-since.example'],
    refresh: true,
    chargeId: 'chg_settled',
    fingerprint: Buffer.from('body'),
    caller: { workspaceId: 'ws_1', keyId: 'key_1', plan: { freshnessDays: 3 } } as unknown as Caller,
    origin: { requestId: 'req_retry', traceparent: '' },
    budget: createBudget(clock),
  });
  const answer = JSON.parse(body.toString());
  expect(answer.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
  expect(answer.results.map((result: { scan_job_id: string | null }) => result.scan_job_id)).toEqual([
    'job_paid',
    null,
  ]);
  expect(answer.results[1].scan_requested).toBe(false);
  expect(requestScans.publish.mock.calls[0]?.[1].claimed).toEqual(['paid.example']);
  expect(requestScans.release).toHaveBeenCalledOnce();
});
