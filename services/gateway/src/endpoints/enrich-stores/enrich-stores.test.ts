import type { Deadline } from '@shopscope/async';
import { type ChargeUnits, createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { unitsOf } from '@shopscope/proto';
import { expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { createChargeScans } from '../../scans/charge-scans.ts';
import type { RequestScans } from '../../scans/request-scans.ts';
import { enrichStores } from './enrich-stores.ts';
import { createWorkspaceTurns } from './workspace-turns.ts';

const domains = ['paid.example', 'stale-since.example'];

/** Both domains are claimed. `created` are those that this request claimed; an earlier execution claimed the others. */
function setUp(options: {
  created: readonly string[];
  chargeUnits: ChargeUnits;
  publish?: (deadline: Deadline) => Promise<void>;
  duringClaim?: (deadline: Deadline) => void;
}) {
  const clock = new ManualClock();
  const { created, chargeUnits, publish = async () => {}, duringClaim } = options;
  const claims = {
    jobIds: new Map(domains.map((domain) => [domain, `job_${domain}`])),
    claimed: domains,
    created: new Map(created.map((domain) => [domain, 5])),
  };
  const published: string[] = [];
  const release = vi.fn(async (_: unknown, { created }: { created: ReadonlyMap<string, number> }) => [
    ...created.keys(),
  ]);
  const requestScans: RequestScans = {
    async claim({ deadline }) {
      duringClaim?.(deadline);
      return claims;
    },
    async publish({ deadline }, { claimed }) {
      await publish(deadline);
      published.push(...claimed);
    },
    async release(...given) {
      await release(...given);
    },
  };
  const deps = {
    profiles: { lookUpMany: async (wanted: readonly string[]) => wanted.map(() => undefined) },
    requestScans,
    turns: createWorkspaceTurns({ clock, replicas: 1 }),
    clock,
    chargeScans: createChargeScans({ requestScans, chargeUnits }),
  } as unknown as Parameters<typeof enrichStores>[0];
  const request = (key?: 'without Idempotency-Key') =>
    enrichStores(deps, {
      operation: 'enrichStores',
      inputs: domains,
      refresh: true,
      chargeId: 'chg_1',
      fingerprint: key ? undefined : Buffer.from('body'),
      caller: {
        workspaceId: 'ws_1',
        keyId: 'key_1',
        plan: { freshnessDays: 3, rpm: 600, concurrency: 10, enrichBatchMax: 100 },
      } as unknown as Caller,
      origin: { requestId: 'req_retry', traceparent: '' },
      deadline: createRequestDeadline(clock),
      billing: new RequestBilling(),
    });
  const released = async () => (await Promise.all(release.mock.results.map(({ value }) => value))).flat();
  return { request, published, released };
}

const commitDeadline = createRequestDeadline(new ManualClock());
const charging =
  (lookupLive: number): ChargeUnits =>
  async ({ onReserved, beforeEvent }) => {
    const units = unitsOf({ lookupLive });
    onReserved?.();
    await beforeEvent?.(units, commitDeadline);
    return { units, remaining: 9, voidCharge: async () => {} };
  };
const failing =
  (error: Error): ChargeUnits =>
  async () => {
    throw error;
  };

it('a retry of a settled charge requests only the scans that the charge paid for, and releases the other claims', async () => {
  const { request, published, released } = setUp({ created: ['stale-since.example'], chargeUnits: charging(1) });
  const response = JSON.parse((await request()).body.toString());
  expect(response.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
  expect(response.results.map((result: { scan_job_id: string | null }) => result.scan_job_id)).toEqual([
    'job_paid.example',
    null,
  ]);
  expect(response.results[1].scan_requested).toBe(false);
  expect(published).toEqual(['paid.example']);
  expect(await released()).toEqual(['stale-since.example']);
});

const stale = new AppError('internal', 'A later execution has reserved this charge.');

it.each([
  ['402', new AppError('payment_required', 'exhausted')],
  ['409', new AppError('conflict', 'another body')],
])('a charge that metering refuses (%s) releases only the claims of this request', async (_, error) => {
  const { request, released } = setUp({ created: ['paid.example'], chargeUnits: failing(error) });
  await expect(request()).rejects.toBe(error);
  expect(await released()).toEqual(['paid.example']);
});

it('a charge that a later execution has reserved releases no claims, because that execution may have paid for them', async () => {
  const { request, released } = setUp({ created: domains, chargeUnits: failing(stale) });
  await expect(request()).rejects.toBe(stale);
  expect(await released()).toEqual([]);
});

it('a charge without an Idempotency-Key releases its claims after any failure of the Reserve', async () => {
  const { request, released } = setUp({ created: domains, chargeUnits: failing(stale) });
  await expect(request('without Idempotency-Key')).rejects.toBe(stale);
  expect(await released()).toEqual(domains);
});

it('a request whose scan requests cannot become durable releases its claims', async () => {
  const lost = new AppError('internal', 'Kafka and scan-scheduler are unavailable');
  const publish = () => Promise.reject(lost);
  const { request, released } = setUp({ created: domains, chargeUnits: charging(2), publish });
  await expect(request()).rejects.toBe(lost);
  expect(await released()).toEqual(domains);
});

it('a request whose caller disconnects after the Reserve and before the commit releases its claims, also with an Idempotency-Key', async () => {
  const chargeUnits: ChargeUnits = async ({ onReserved }) => {
    onReserved?.();
    throw new AppError('internal', 'the caller has disconnected');
  };
  const { request, published, released } = setUp({ created: domains, chargeUnits });
  await expect(request()).rejects.toMatchObject({ code: 'internal' });
  expect([published, await released()]).toEqual([[], domains]);
});

it('a request whose caller disconnects during its claims reserves nothing and releases them, also with an Idempotency-Key', async () => {
  const chargeUnits = vi.fn<ChargeUnits>(failing(new AppError('internal', 'the caller has disconnected')));
  const duringClaim = (deadline: Deadline) => deadline.cancel();
  const { request, released } = setUp({ created: domains, chargeUnits, duringClaim });
  await expect(request()).rejects.toMatchObject({ code: 'internal' });
  expect(chargeUnits).not.toHaveBeenCalled();
  expect(await released()).toEqual(domains);
});

it('scan requests are published within the deadline of the commit, which a disconnecting caller does not cancel', async () => {
  const deadlines: Deadline[] = [];
  const publish = async (deadline: Deadline) => void deadlines.push(deadline);
  const { request } = setUp({ created: domains, chargeUnits: charging(2), publish });
  await request();
  expect(deadlines).toEqual([commitDeadline]);
});
