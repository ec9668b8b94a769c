import { createDeadline } from '@shopscope/async';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addStores } from '../../src/operations/add-stores.ts';
import { createList } from '../../src/operations/create-group.ts';
import { listsOf } from '../../src/operations/group-kinds.ts';
import { findJob } from '../../src/operations/jobs/find-job.ts';
import { listJobResults } from '../../src/operations/jobs/list-job-results.ts';
import { quoteListEnrich } from '../../src/operations/jobs/quote-list-enrich.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { startListEnrich } from '../../src/operations/jobs/start-list-enrich.ts';
import { type JobSystem, startJobSystem } from './job-system.ts';

let system: JobSystem;
beforeAll(async () => {
  system = await startJobSystem('bulk-jobs-test');
});
afterAll(() => system?.stop());

const context = () =>
  ({
    origin: { requestId: 'req_job_test', traceparent: '', environment: 'test' },
    deadline: createDeadline(30_000),
    peer: null,
    abort: new AbortController().signal,
  }) as never;

it('a job of the test tenant gives stores that stand for faults an error, scans no store of the other environment, and bills the rest', async () => {
  const { test: deps } = system;
  const { workspaceId, keyId } = await system.createWorkspace();
  const tenant = { workspaceId, environment: 'test' } as const;
  const { id: listId } = await createList(deps, tenant, { name: 'L', quota: 100, requestToken: '' }, context());
  const faults = ['limited.test', 'exhausted.test', 'busy.test', 'error.test'];
  const stores = [...faults, 'matched.test', 'unknown.test', 'shop.example'].map((domain) => ({
    domain,
    externalId: undefined,
  }));
  await addStores(deps, listsOf(deps), tenant, { id: listId, stores, quota: 100 }, context());
  const quote = await quoteListEnrich(deps, tenant, { listId, keyId, refresh: true }, context());
  expect(quote).toMatchObject({ matched: 1, stale: 0, unknown: 6, units: { lookupCached: 1, lookupLive: 1 } });

  const request = { listId, keyId, refresh: true, maxUnits: undefined, requestToken: '' };
  const { id } = await startListEnrich(deps, tenant, request, context());
  expect(await runNextStep(deps)).toBe(true);
  expect(await runNextStep(deps)).toBe(false);
  expect(await findJob(deps, tenant, id, context())).toMatchObject({
    state: 'succeeded',
    total: 7,
    failed: 4,
    billed: { lookupCached: 1, lookupLive: 1 },
  });
  const { results } = await listJobResults(deps, tenant, { id, afterDomain: '', limit: 200 }, context());
  expect(results.map(({ domain, match, reason, scanJobId }) => [domain, match, reason, scanJobId !== null])).toEqual([
    ['busy.test', 'error', 'unavailable', false],
    ['error.test', 'error', 'internal', false],
    ['exhausted.test', 'error', 'allowance_exhausted', false],
    ['limited.test', 'error', 'rate_limited', false],
    ['matched.test', 'matched', null, false],
    ['shop.example', 'no_match', 'not_in_corpus', false],
    ['unknown.test', 'no_match', 'not_in_corpus', true],
  ]);
});
