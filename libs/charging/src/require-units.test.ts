import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { unitsOf } from '@shopscope/proto';
import { describe, expect, it, vi } from 'vitest';
import type { Payer } from './caller-request.ts';
import type { ChargeDependencies } from './charge-units.ts';
import { createRequestDeadline } from './request-deadline.ts';
import { requireUnits } from './require-units.ts';

const caller = {
  keyId: 'key_1',
  workspaceId: 'ws_1',
  plan: { included: unitsOf({ historyQuery: 3, lookupCached: 9 }) },
} as Payer;

const refusal = new AppError('payment_required', 'none are left');

function setUp({ taken, leased = false }: { taken?: number; leased?: boolean }) {
  const put: string[] = [];
  const returned: string[] = [];
  const reserve = vi.fn(async () => {
    throw refusal;
  });
  const lease = {
    leaseId: 'lse_1',
    chargeId: 'lse_1-1',
    periodStartMs: 0,
    taken: 3,
    release: () => returned.push('lse_1'),
  };
  const deps: ChargeDependencies = {
    balances: { put: (workspaceId) => put.push(workspaceId) },
    metering: {
      async getBalance() {
        if (taken === undefined) throw new AppError('internal', 'no answer');
        const counts = unitsOf({ historyQuery: taken, lookupCached: 2 });
        return { periodStartMs: 0, periodEndMs: 1, taken: counts, used: undefined, reserved: undefined };
      },
      reserve,
      voidCharge: async () => ({ counts: false }),
      recordUsage: async () => {},
    },
    leases: { charge: async () => (leased ? lease : undefined) },
    events: { publishUsage: () => Promise.reject(new Error('the commit continues')) },
    clock: new ManualClock(),
    onCharge: () => {},
  };
  const request = {
    chargeId: 'chg_1',
    fingerprint: Buffer.alloc(0),
    units: unitsOf({ historyQuery: 1 }),
    operation: 'searchSignals',
    caller,
    origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
    deadline: createRequestDeadline(new ManualClock()),
  } as const;
  return { answer: () => requireUnits(deps, request), put, reserve, returned };
}

describe('requireUnits', () => {
  it('an answer that bills nothing makes no charge while its units are left, and returns the number of look-ups that are left', async () => {
    const { answer, put, reserve } = setUp({ taken: 2 });
    expect(await answer()).toEqual({ remaining: 7 });
    expect(put).toEqual(['ws_1']);
    expect(reserve).not.toHaveBeenCalled();
  });

  it('an answer that bills nothing is refused with the error of a charge when no unit is left', async () => {
    const { answer } = setUp({ taken: 3 });
    await expect(answer()).rejects.toBe(refusal);
  });

  it('an answer that bills nothing is sent when a lease has the units that the balance lacks, and commits no charge', async () => {
    const { answer, reserve, returned } = setUp({ taken: 3, leased: true });
    expect(await answer()).toEqual({ remaining: 7 });
    expect(reserve).not.toHaveBeenCalled();
    expect(returned).toEqual(['lse_1']);
  });

  it('an answer that bills nothing is refused, like an answer that bills, when metering does not return the balance', async () => {
    const { answer, reserve } = setUp({});
    await expect(answer()).rejects.toThrow('no answer');
    expect(reserve).not.toHaveBeenCalled();
  });
});
