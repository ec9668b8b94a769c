import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { Payer } from './caller-request.ts';
import type { ChargeRequest } from './charge.ts';
import { createRequestDeadline } from './request-deadline.ts';
import { createRequireUnits } from './require-units.ts';

const caller = {
  keyId: 'key_1',
  workspaceId: 'ws_1',
  plan: { included: unitsOf({ historyQuery: 3, lookupCached: 9 }) },
} as Payer;

function setUp({ taken, charge }: { taken?: number; charge?: (request: ChargeRequest) => Promise<unknown> }) {
  const put: string[] = [];
  const charges: ChargeRequest[] = [];
  const requireUnits = createRequireUnits({
    balances: { put: (workspaceId) => put.push(workspaceId) },
    metering: {
      async getBalance() {
        if (taken === undefined) throw new AppError('internal', 'no answer');
        const counts = unitsOf({ historyQuery: taken, lookupCached: 2 });
        return { periodStartMs: 0, periodEndMs: 1, taken: counts, used: undefined, reserved: undefined };
      },
    },
    async chargeUnits(request) {
      charges.push(request);
      await charge?.(request);
      await request.beforeEvent?.(request.units, request.deadline);
      throw new Error('the commit goes on');
    },
  });
  const request = {
    chargeId: 'chg_1',
    fingerprint: Buffer.alloc(0),
    units: unitsOf({ historyQuery: 1 }),
    operation: 'searchSignals',
    caller,
    origin: { requestId: 'req_1', traceparent: '' },
    deadline: createRequestDeadline(new ManualClock()),
  } as const;
  return { answer: () => requireUnits(request), put, charges };
}

describe('an answer that bills nothing', () => {
  it('makes no charge while its units are left, and tells the look-ups that are left', async () => {
    const { answer, put, charges } = setUp({ taken: 2 });
    expect(await answer()).toEqual({ remaining: 7 });
    expect([put, charges]).toEqual([['ws_1'], []]);
  });

  it('is refused with the error of a charge when none is left', async () => {
    const refusal = new AppError('payment_required', 'none are left');
    const { answer } = setUp({ taken: 3, charge: () => Promise.reject(refusal) });
    await expect(answer()).rejects.toBe(refusal);
  });

  it('is sent when a lease has the units that the balance lacks, and the charge is never committed', async () => {
    const { answer, charges } = setUp({ taken: 3 });
    expect(await answer()).toEqual({ remaining: 7 });
    expect(charges).toHaveLength(1);
    expect(charges[0]?.billing.mayBeBilled).toBe(false);
  });

  it('is refused when metering does not tell the balance, as an answer that bills is', async () => {
    const { answer, charges } = setUp({});
    await expect(answer()).rejects.toThrow('no answer');
    expect(charges).toEqual([]);
  });
});
