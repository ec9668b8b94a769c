import { createRequestDeadline } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { ClaimOutcome, type ScanClaim, ScanUnit } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { claimScans, releaseScans } from './request-scans.ts';
import type { ScanSchedulerClient } from './scheduler-client.ts';

const origin = { requestId: '', traceparent: '', environment: 'live' as const };

/** A scheduler in memory. A domain belongs to the first charge that claims it, until that charge releases its claim. */
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
  const scheduler: Pick<ScanSchedulerClient, 'claimScans' | 'releaseClaims' | 'requestScans'> = {
    async claimScans({ chargeId, domains }) {
      const claimed = new Map<string, ScanClaim>();
      // Inserts of two calls interleave in a database in any order.
      for (const domain of chargeId === 'chg_1' ? domains : [...domains].reverse()) {
        claimed.set(domain, claimOne(chargeId, domain));
        await Promise.resolve();
      }
      return domains.map((domain) => claimed.get(domain) as ScanClaim);
    },
    async releaseClaims({ chargeId, claims }) {
      for (const [domain, holder] of holders) {
        const isListed = claims.some(
          (each) => each.jobId === `job_${domain}` && each.claimedAtMs === holder.claimedAtMs,
        );
        if (holder.chargeId === chargeId && (isListed || claims.length === 0)) holders.delete(domain);
      }
    },
    requestScans: async () => {},
  };
  const deps = { scheduler, events: { publishScans: async () => {} }, clock };
  const scansOf = (chargeId: string, hasIdempotencyKey = true) => ({
    workspaceId: 'ws_1',
    chargeId,
    hasIdempotencyKey,
    unit: ScanUnit.LOOKUP_LIVE,
    origin,
    deadline: createRequestDeadline(clock),
  });
  const claim = (chargeId: string, domains: string[], random = 0.5) =>
    claimScans(deps, scansOf(chargeId), domains, () => random);
  return { clock, holders, scheduler, claim, deps, scansOf };
}

async function elapse(clock: ManualClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 10) {
    await new Promise(setImmediate);
    clock.advance(10);
  }
  await new Promise(setImmediate);
}

it('two requests that each claimed a domain of the other do not deadlock', async () => {
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
  // The first request ends here by releasing its claims.
  holders.clear();
  await elapse(clock, 500);
  expect(await second).toMatchObject({ claimed: ['b.example', 'a.example'] });
});

it('a request responds unavailable after 2 s of undecided claims, and holds no claims then', async () => {
  const { clock, holders, claim } = setUp();
  holders.set('a.example', { chargeId: 'chg_other', claimedAtMs: 0 });
  const attempt = expect(claim('chg_1', ['a.example', 'b.example'])).rejects.toMatchObject({ code: 'unavailable' });
  await elapse(clock, 2_100);
  await attempt;
  expect([...holders.keys()]).toEqual(['a.example']);
});

it('a request does not release claims that another execution of its charge has made or made again', async () => {
  const { clock, holders, claim, deps, scansOf } = setUp();
  const ours = await claim('chg_1', ['ours.example', 'again.example']);
  // Another execution of the charge claims before this one releases.
  await claim('chg_1', ['again.example', 'theirs.example']);
  await releaseScans(deps, scansOf('chg_1'), ours);
  expect([...holders.keys()]).toEqual(['again.example', 'theirs.example']);

  // An execution that waits 2 s for a claim of another charge also keeps them.
  holders.set('busy.example', { chargeId: 'chg_other', claimedAtMs: 0 });
  const attempt = expect(claim('chg_1', ['theirs.example', 'busy.example', 'new.example'])).rejects.toThrow();
  await elapse(clock, 2_100);
  await attempt;
  expect([...holders.keys()]).toEqual(['again.example', 'theirs.example', 'busy.example']);
});

it.each([true, false])(
  'after a lost response only a charge without an Idempotency-Key releases its claims (with Idempotency-Key: %s)',
  async (hasIdempotencyKey) => {
    const { holders, scheduler, deps, scansOf } = setUp();
    const claimed = scheduler.claimScans;
    scheduler.claimScans = async (...args) => {
      await claimed(...args);
      throw new Error('the response was lost');
    };
    await expect(claimScans(deps, scansOf('chg_1', hasIdempotencyKey), ['a.example'])).rejects.toThrow('lost');
    expect(holders.size).toBe(hasIdempotencyKey ? 1 : 0);
  },
);
