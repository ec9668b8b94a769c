import { createDeadline } from '@shopscope/async';
import { describe, expect, it } from 'vitest';
import { claimScans } from './claim-scans.ts';
import type { Dependencies } from './dependencies.ts';
import { queueScans } from './queue-scans.ts';
import { releaseClaims } from './release-claims.ts';
import { requestScans } from './request-scans.ts';

/** The calls are refused before they use a collection. */
const none = {} as Dependencies;
const entries = 1_001;
const origin = {
  requestId: 'req_1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  environment: 'live' as const,
};
const context = { origin, deadline: createDeadline(1_000) };
const request = (n: number) => ({
  jobId: `job_${n}`,
  workspaceId: 'ws_1',
  domain: `shop-${n}.example`,
  chargeId: 'chg_1',
  unit: 'lookup_live' as const,
  requestedAtMs: 1,
});
const refused = /more than 1,?000|at most 1,?000/;

describe('bound of a batch', () => {
  it('ClaimScans refuses more than 1,000 entries before any work', async () => {
    const domains = Array.from({ length: entries }, (_, n) => `shop-${n}.example`);
    const input = { workspaceId: 'ws_1', chargeId: 'chg_1', domains, unit: 'lookup_live' } as Parameters<
      typeof claimScans
    >[1];
    await expect(claimScans(none, input, context)).rejects.toThrow(refused);
  });

  it('ReleaseClaims refuses more than 1,000 entries before any work', async () => {
    const claims = Array.from({ length: entries }, (_, n) => ({ jobId: `job_${n}`, claimedAtMs: 1 }));
    const input = { workspaceId: 'ws_1', chargeId: 'chg_1', claims } as Parameters<typeof releaseClaims>[1];
    await expect(releaseClaims(none, input, context)).rejects.toThrow(refused);
  });

  it('QueueScans refuses more than 1,000 entries before any work', async () => {
    const domains = Array.from({ length: entries }, (_, n) => `shop-${n}.example`);
    await expect(queueScans(none, { domains, skipVisitedSinceMs: 0 }, context)).rejects.toThrow(refused);
  });

  it('RequestScans refuses more than 1,000 entries before any work', async () => {
    const requests = Array.from({ length: entries }, (_, n) => ({ request: request(n), origin }));
    await expect(requestScans(none, requests)).rejects.toThrow(refused);
  });
});
