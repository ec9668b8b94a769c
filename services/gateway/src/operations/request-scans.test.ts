import { ManualClock } from '@shopscope/clock';
import { ClaimOutcome } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createBudget } from '../domain/budget.ts';
import type { ScansPeer } from '../outbound/grpc/scans.ts';
import { createRequestScans } from './request-scans.ts';

const origin = { requestId: '', traceparent: '' };

/** A scheduler in memory: a domain is its first claimer's until that one releases it. */
function setUp() {
  const clock = new ManualClock();
  const holders = new Map<string, string>();
  const peer: ScansPeer = {
    async claimScans({ chargeId, domains }) {
      return domains.map((domain) => {
        const created = !holders.has(domain);
        if (created) holders.set(domain, chargeId);
        const own = holders.get(domain) === chargeId;
        return { jobId: `job_${domain}`, outcome: own ? ClaimOutcome.CLAIMED : ClaimOutcome.PENDING, created };
      });
    },
    async releaseClaims({ chargeId }) {
      for (const [domain, holder] of holders) if (holder === chargeId) holders.delete(domain);
    },
    requestScans: async () => {},
  };
  const claim = (chargeId: string, domains: string[], random: number) =>
    createRequestScans({ scans: peer, events: { publishScans: async () => {} }, clock, random: () => random }).claim(
      { workspaceId: 'ws_1', chargeId, origin, budget: createBudget(clock) },
      domains,
    );
  return { clock, holders, claim };
}

async function elapse(clock: ManualClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 10) {
    await new Promise(setImmediate);
    clock.advance(10);
  }
  await new Promise(setImmediate);
}

it('of two batches that each hold a part of the other, neither waits for the other', async () => {
  const { clock, holders, claim } = setUp();
  holders.set('a.example', 'chg_1').set('b.example', 'chg_2');
  const domains = ['b.example', 'a.example'];
  const first = claim('chg_1', domains, 0);
  const second = claim('chg_2', [...domains].reverse(), 1).catch(({ code }) => code);
  await elapse(clock, 500);
  expect([...(await first).claimed].sort()).toEqual(['a.example', 'b.example']);
  // What is published is queued, and joined; here the holder gives it back instead.
  holders.clear();
  await elapse(clock, 500);
  expect(await second).toMatchObject({ claimed: ['a.example', 'b.example'] });
});

it('claims that stay undecided are unavailable after 2 s, and nothing stays claimed', async () => {
  const { clock, holders, claim } = setUp();
  holders.set('a.example', 'chg_other');
  const attempt = expect(claim('chg_1', ['a.example', 'b.example'], 0.5)).rejects.toMatchObject({
    code: 'unavailable',
  });
  await elapse(clock, 2_100);
  await attempt;
  expect([...holders]).toEqual([['a.example', 'chg_other']]);
});
