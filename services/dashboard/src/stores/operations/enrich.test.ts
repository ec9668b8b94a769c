import { expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import { testStore } from '../../../test/integration/support/store.ts';
import type { EnrichAnswer } from '../../app/outbound/gateway.ts';
import { enrich } from './enrich.ts';

it('profiles of an unknown form are answers without a store, logged once for the call, and the others are read', async () => {
  const lines: object[] = [];
  const logger = { error: (line: object) => lines.push(line) } as never;
  const result = (store: unknown) => ({ match: 'matched' as const, reason: null, scan_job_id: null, store });
  const odd = { ...testStore('odd.example'), platform: { name: 7 } };
  const answer: EnrichAnswer = {
    billed: { lookup_cached: 4, lookup_live: 0 },
    results: [result(testStore('a.example')), result(odd), result(odd), result(testStore('b.example'))],
  };
  const { deps } = withDashboardKeys(['s'], { gateway: { enrich: async () => answer } as never, logger });
  const { billed, results } = await enrich(deps, keyVisit, { domains: [], refresh: false, idempotencyKey: 'x' });
  expect(billed).toEqual({ lookup_cached: 4, lookup_live: 0 });
  expect(results.map(({ match, store }) => [match, store?.domain])).toEqual([
    ['matched', 'a.example'],
    ['unreadable', undefined],
    ['unreadable', undefined],
    ['matched', 'b.example'],
  ]);
  expect(lines).toEqual([
    { requestId: 'req_1', environment: 'live', count: 2, index: 1, path: expect.stringMatching(/^platform\./) },
  ]);
});
