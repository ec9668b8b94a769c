import type { Deadline } from '@shopscope/async';
import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { ClaimOutcome, noUnits, ReserveOutcome, type ReserveResult, unitsOf } from '@shopscope/proto';
import { expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { enrichStores } from './enrich-stores.ts';
import { createWorkspaceTurns } from './workspace-turns.ts';

const domains = ['paid.example', 'stale-since.example'];

type Reserve = (deadline: Deadline) => Promise<Partial<ReserveResult>>;

/** Both domains are claimed. `created` are those that this request claimed; an earlier execution claimed the others. */
function setUp(options: {
  created: readonly string[];
  reserve: Reserve;
  /** Answers the scan requests in place of scan-scheduler. If it is set, Kafka is unavailable. */
  publish?: (deadline: Deadline) => Promise<void>;
  duringClaim?: (deadline: Deadline) => void;
}) {
  const clock = new ManualClock();
  const { created, reserve, publish, duringClaim } = options;
  const deadline = createRequestDeadline(clock);
  const published: string[] = [];
  const released: string[] = [];
  const deps = {
    clock,
    profiles: { lookUpMany: async (wanted: readonly string[]) => wanted.map(() => undefined) },
    turns: createWorkspaceTurns({ clock, replicas: 1 }),
    scheduler: {
      async claimScans({ domains }: { domains: string[] }) {
        duringClaim?.(deadline);
        return domains.map((domain) => {
          const claim = { jobId: `job_${domain}`, outcome: ClaimOutcome.CLAIMED, claimedAtMs: 5 };
          return { ...claim, created: created.includes(domain) };
        });
      },
      async releaseClaims({ claims }: { claims: { jobId: string }[] }) {
        released.push(...claims.map(({ jobId }) => jobId.slice('job_'.length)));
      },
      requestScans: (_requests: unknown, _origin: unknown, commit: Deadline) => publish?.(commit),
    },
    events: {
      publishUsage: async () => {},
      async publishScans(requests: { domain: string }[]) {
        if (publish) throw new Error('Kafka is unavailable');
        published.push(...requests.map(({ domain }) => domain));
      },
    },
    metering: { reserve: () => reserve(deadline), voidCharge: async () => ({ counts: false }) },
    leases: { charge: async () => undefined },
    balances: { put: () => {} },
    onCharge: () => {},
  } as unknown as Parameters<typeof enrichStores>[0];
  const plan = { freshnessDays: 3, rpm: 600, concurrency: 10, enrichBatchMax: 100, included: noUnits };
  const request = (key?: 'without Idempotency-Key') =>
    enrichStores(deps, {
      operation: 'enrichStores',
      inputs: domains,
      refresh: true,
      chargeId: 'chg_1',
      fingerprint: key ? undefined : Buffer.from('body'),
      caller: { workspaceId: 'ws_1', keyId: 'key_1', plan } as unknown as Caller,
      origin: { requestId: 'req_retry', traceparent: '', environment: 'live' },
      deadline,
      billing: new RequestBilling(),
    });
  return { request, published, released, deadline };
}

const granting =
  (lookupLive: number, outcome: ReserveOutcome = ReserveOutcome.GRANTED): Reserve =>
  async () => ({ outcome, attempt: 1, units: unitsOf({ lookupLive }), periodStartMs: 0 });
const failing =
  (error: Error): Reserve =>
  async () => {
    throw error;
  };

it('a retry of a settled charge requests only the scans that the charge paid for, and releases the other claims', async () => {
  const { request, published, released } = setUp({
    created: ['stale-since.example'],
    reserve: granting(1, ReserveOutcome.ALREADY_SETTLED),
  });
  const response = JSON.parse((await request()).body.toString());
  expect(response.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
  expect(response.results.map((result: { scan_job_id: string | null }) => result.scan_job_id)).toEqual([
    'job_paid.example',
    null,
  ]);
  expect(response.results[1].scan_requested).toBe(false);
  expect(published).toEqual(['paid.example']);
  expect(released).toEqual(['stale-since.example']);
});

const stale = new AppError('internal', 'A later execution has reserved this charge.');

it.each([
  ['402', new AppError('payment_required', 'exhausted')],
  ['409', new AppError('conflict', 'another body')],
])('a charge that metering refuses (%s) releases only the claims of this request', async (_, error) => {
  const { request, released } = setUp({ created: ['paid.example'], reserve: failing(error) });
  await expect(request()).rejects.toBe(error);
  expect(released).toEqual(['paid.example']);
});

it('a charge that a later execution has reserved releases no claims, because that execution may have paid for them', async () => {
  const { request, released } = setUp({ created: domains, reserve: failing(stale) });
  await expect(request()).rejects.toBe(stale);
  expect(released).toEqual([]);
});

it('a charge without an Idempotency-Key releases its claims after any failure of the Reserve', async () => {
  const { request, released } = setUp({ created: domains, reserve: failing(stale) });
  await expect(request('without Idempotency-Key')).rejects.toBe(stale);
  expect(released).toEqual(domains);
});

it('a request whose scan requests cannot become durable releases its claims', async () => {
  const lost = new AppError('internal', 'Kafka and scan-scheduler are unavailable');
  const publish = () => Promise.reject(lost);
  const { request, released } = setUp({ created: domains, reserve: granting(2), publish });
  await expect(request()).rejects.toBe(lost);
  expect(released).toEqual(domains);
});

it('a request whose caller disconnects after the Reserve and before the commit releases its claims, even with an Idempotency-Key', async () => {
  const reserve: Reserve = (deadline) => {
    deadline.cancel();
    return granting(2)(deadline);
  };
  const { request, published, released } = setUp({ created: domains, reserve });
  await expect(request()).rejects.toMatchObject({ code: 'internal' });
  expect([published, released]).toEqual([[], domains]);
});

it('a request whose caller disconnects during its claims reserves nothing and releases them, even with an Idempotency-Key', async () => {
  const reserve = vi.fn<Reserve>(granting(2));
  const duringClaim = (deadline: Deadline) => deadline.cancel();
  const { request, released } = setUp({ created: domains, reserve, duringClaim });
  await expect(request()).rejects.toMatchObject({ code: 'internal' });
  expect(reserve).not.toHaveBeenCalled();
  expect(released).toEqual(domains);
});

it('scan requests are published within the deadline of the commit, which a disconnecting caller does not cancel', async () => {
  let remainingMs = 0;
  const publish = async (commit: Deadline) => {
    deadline.cancel();
    remainingMs = commit.timeoutMs();
  };
  const { request, deadline } = setUp({ created: domains, reserve: granting(2), publish });
  await request();
  expect(remainingMs).toBe(3_000);
});
