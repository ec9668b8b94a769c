import { ManualClock } from '@shopscope/clock';
import { ClaimOutcome, type ScanClaim } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createRequestDeadline } from '../domain/request-deadline.ts';
import type { ScanSchedulerClient } from '../outbound/grpc/scan-scheduler.ts';
import { createRequestScans } from './request-scans.ts';

const origin = { requestId: '', traceparent: '' };

/** A scheduler in memory: a domain is its first claimer's until that one releases it by the claim that it made. */
function setUp() {
  const clock = new ManualClock();
  const holders = new Map<string, { chargeId: string; claimedAtMs: number }>();
  let claims = 0;
  const claimOne = (chargeId: string, domain: string): ScanClaim => {
    const created = !holders.has(domain);
    const holder = holders.get(domain) ?? { chargeId, claimedAtMs: 0 };
    holders.set(domain, holder);
    const jobId = `job_${domain}`;
    if (holder.chargeId !== chargeId) return { jobId, outcome: ClaimOutcome.PENDING, created: false, claimedAtMs: 0 };
    holder.claimedAtMs = ++claims;
    return { jobId, outcome: ClaimOutcome.CLAIMED, created, claimedAtMs: holder.claimedAtMs };
  };
  const peer: ScanSchedulerClient = {
    async claimScans({ chargeId, domains }) {
      const made = new Map<string, ScanClaim>();
      // As inserts of two calls meet in a database: in any order.
      for (const domain of chargeId === 'chg_1' ? domains : [...domains].reverse()) {
        made.set(domain, claimOne(chargeId, domain));
        await Promise.resolve();
      }
      return domains.map((domain) => made.get(domain) as ScanClaim);
    },
    async releaseClaims({ chargeId, claims }) {
      for (const [domain, holder] of holders) {
        const isNamed = claims.some(
          (each) => each.jobId === `job_${domain}` && each.claimedAtMs === holder.claimedAtMs,
        );
        if (holder.chargeId === chargeId && (isNamed || claims.length === 0)) holders.delete(domain);
      }
    },
    requestScans: async () => {},
  };
  const requestScans = (random: number) =>
    createRequestScans({ scans: peer, events: { publishScans: async () => {} }, clock, random: () => random });
  const scansOf = (chargeId: string, isNamed = true) => ({
    workspaceId: 'ws_1',
    chargeId,
    isNamed,
    origin,
    deadline: createRequestDeadline(clock),
  });
  const claim = (chargeId: string, domains: string[], random = 0.5) =>
    requestScans(random).claim(scansOf(chargeId), domains);
  return { clock, holders, peer, claim, requestScans, scansOf };
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
  const domains = ['b.example', 'a.example'];
  const first = claim('chg_1', domains, 0);
  const second = claim('chg_2', domains, 1).catch(({ code }) => code);
  await Promise.resolve();
  expect([...holders].map(([domain, { chargeId }]) => [domain, chargeId])).toEqual([
    ['a.example', 'chg_1'],
    ['b.example', 'chg_2'],
  ]);
  await elapse(clock, 500);
  expect([...(await first).claimed].sort()).toEqual(['a.example', 'b.example']);
  // What is published is queued, and joined; here the holder gives it back instead.
  holders.clear();
  await elapse(clock, 500);
  expect(await second).toMatchObject({ claimed: ['b.example', 'a.example'] });
});

it('claims that stay undecided are unavailable after 2 s, and nothing stays claimed', async () => {
  const { clock, holders, claim } = setUp();
  holders.set('a.example', { chargeId: 'chg_other', claimedAtMs: 0 });
  const attempt = expect(claim('chg_1', ['a.example', 'b.example'])).rejects.toMatchObject({ code: 'unavailable' });
  await elapse(clock, 2_100);
  await attempt;
  expect([...holders.keys()]).toEqual(['a.example']);
});

it('what another execution of the charge has claimed is not released, nor what it has claimed again', async () => {
  const { clock, holders, claim, requestScans, scansOf } = setUp();
  const ours = await claim('chg_1', ['ours.example', 'again.example']);
  // Another execution of the charge, after which this one releases.
  await claim('chg_1', ['again.example', 'theirs.example']);
  await requestScans(0).release(scansOf('chg_1'), ours);
  expect([...holders.keys()]).toEqual(['again.example', 'theirs.example']);

  // And an execution that waits for others in vain.
  holders.set('busy.example', { chargeId: 'chg_other', claimedAtMs: 0 });
  const attempt = expect(claim('chg_1', ['theirs.example', 'busy.example', 'new.example'])).rejects.toThrow();
  await elapse(clock, 2_100);
  await attempt;
  expect([...holders.keys()]).toEqual(['again.example', 'theirs.example', 'busy.example']);
});

it.each([true, false])(
  'claims of an unknown outcome go when nobody else knows the charge (named: %s)',
  async (isNamed) => {
    const { holders, peer, requestScans, scansOf } = setUp();
    const { claimScans } = peer;
    peer.claimScans = async (...args) => {
      await claimScans(...args);
      throw new Error('the reply was lost');
    };
    await expect(requestScans(0).claim(scansOf('chg_1', isNamed), ['a.example'])).rejects.toThrow('lost');
    expect(holders.size).toBe(isNamed ? 1 : 0);
  },
);
