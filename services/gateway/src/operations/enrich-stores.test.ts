import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { expect, it, vi } from 'vitest';
import { Billing } from '../domain/billing.ts';
import type { Caller } from '../domain/caller.ts';
import { createRequestDeadline } from '../domain/request-deadline.ts';
import { unitsOf } from '../domain/units.ts';
import type { ChargeUnits } from './charge-units.ts';
import { createEnrichStores } from './enrich-stores.ts';

const domains = ['paid.example', 'stale-since.example'];

/** Both domains are claimed: one of them by an execution before, or both just now. */
function setUp(options: { created: readonly string[]; chargeUnits: ChargeUnits; publish?: () => Promise<void> }) {
  const clock = new ManualClock();
  const { created, chargeUnits, publish = async () => {} } = options;
  const claims = {
    jobs: new Map(domains.map((domain) => [domain, `job_${domain}`])),
    claimed: domains,
    created: new Map(created.map((domain) => [domain, 5])),
  };
  const published: string[] = [];
  const release = vi.fn(async (_: unknown, { created }: { created: ReadonlyMap<string, number> }) => [
    ...created.keys(),
  ]);
  const enrich = createEnrichStores({
    profiles: { lookUpMany: async (wanted) => wanted.map(() => undefined) },
    requestScans: {
      claim: async () => claims,
      async publish(_, { claimed }) {
        await publish();
        published.push(...claimed);
      },
      async release(...given) {
        await release(...given);
      },
    },
    clock,
    chargeUnits,
  });
  const request = (name?: 'unnamed') =>
    enrich({
      inputs: domains,
      refresh: true,
      chargeId: 'chg_1',
      fingerprint: name ? undefined : Buffer.from('body'),
      caller: { workspaceId: 'ws_1', keyId: 'key_1', plan: { freshnessDays: 3 } } as unknown as Caller,
      origin: { requestId: 'req_retry', traceparent: '' },
      deadline: createRequestDeadline(clock),
      billing: new Billing(),
    });
  const released = async () => (await Promise.all(release.mock.results.map(({ value }) => value))).flat();
  return { request, published, released };
}

const charging =
  (lookupLive: number): ChargeUnits =>
  async ({ beforeCommit }) => {
    const units = unitsOf({ lookupLive });
    await beforeCommit?.(units);
    return { units, remaining: 9, undo: async () => {} };
  };
const failing =
  (error: Error): ChargeUnits =>
  async () => {
    throw error;
  };

it('a retry of a settled charge asks for no scan that the charge did not pay for, and releases only that', async () => {
  const { request, published, released } = setUp({ created: ['stale-since.example'], chargeUnits: charging(1) });
  const answer = JSON.parse((await request()).body.toString());
  expect(answer.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
  expect(answer.results.map((result: { scan_job_id: string | null }) => result.scan_job_id)).toEqual([
    'job_paid.example',
    null,
  ]);
  expect(answer.results[1].scan_requested).toBe(false);
  expect(published).toEqual(['paid.example']);
  expect(await released()).toEqual(['stale-since.example']);
});

const fencedOff = new AppError('internal', 'A later execution was here before.');

it.each([
  ['402', new AppError('payment_required', 'exhausted')],
  ['409', new AppError('conflict', 'another body')],
])('a charge that metering refuses (%s) releases what this call claimed, and no more', async (_, error) => {
  const { request, released } = setUp({ created: ['paid.example'], chargeUnits: failing(error) });
  await expect(request()).rejects.toBe(error);
  expect(await released()).toEqual(['paid.example']);
});

it('a charge that a later execution has taken over releases nothing: that one has paid for the claims', async () => {
  const { request, released } = setUp({ created: domains, chargeUnits: failing(fencedOff) });
  await expect(request()).rejects.toBe(fencedOff);
  expect(await released()).toEqual([]);
});

it('a charge that no Idempotency-Key names is nobody else’s: its claims go whatever becomes of the Reserve', async () => {
  const { request, released } = setUp({ created: domains, chargeUnits: failing(fencedOff) });
  await expect(request('unnamed')).rejects.toBe(fencedOff);
  expect(await released()).toEqual(domains);
});

it('scan requests that cannot be made durable release what this call claimed', async () => {
  const lost = new AppError('internal', 'neither way');
  const publish = () => Promise.reject(lost);
  const { request, released } = setUp({ created: domains, chargeUnits: charging(2), publish });
  await expect(request()).rejects.toBe(lost);
  expect(await released()).toEqual(domains);
});
