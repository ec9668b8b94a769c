import { ManualClock } from '@shopscope/clock';
import { Admission, LeaseResult } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../domain/abort-reasons.ts';
import { createScanLeases, type SchedulerClient } from './leases.ts';

const { logger } = silentTelemetry();
const notPaced = { permit: '', admission: Admission.UNSPECIFIED, waitMs: 0 };

async function leaseWith(renewLease: SchedulerClient['renewLease'], clock: ManualClock) {
  const client: SchedulerClient = {
    leaseScan: async () => ({
      lease: {
        scanId: 'scan-1',
        domain: 'shop.example',
        sequence: 1,
        leaseToken: 't',
        expiresAtMs: clock.now() + 30_000,
        attempt: 1,
        origin: undefined,
        permit: 'of the lease',
      },
    }),
    renewLease,
    finishLease: () => Promise.reject(new Error('gone')),
  };
  const leases = createScanLeases({ client, scannerId: 's', waitMs: 1, clock, logger });
  const lease = await leases.next(new AbortController().signal);
  if (!lease) throw new Error('no lease');
  return lease;
}

describe('a lease', () => {
  it('is lost at once when the scheduler refuses to renew it', async () => {
    const lease = await leaseWith(async () => ({ held: false, expiresAtMs: 0, ...notPaced }), new ManualClock());
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLostError);
    expect(lease.lost.reason).toBeInstanceOf(LeaseLostError);
  });

  it('is held until shortly before its last known expiry while the scheduler is unavailable', async () => {
    const clock = new ManualClock();
    const lease = await leaseWith(() => Promise.reject(new Error('unavailable')), clock);
    await lease.ensureHeld();
    clock.advance(28_000);
    await lease.ensureHeld();
    clock.advance(1_500);
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('is held until its new expiry after a renewal', async () => {
    const clock = new ManualClock();
    let available = true;
    const lease = await leaseWith(async () => {
      if (!available) throw new Error('unavailable');
      return { held: true, expiresAtMs: clock.now() + 30_000, ...notPaced };
    }, clock);
    clock.advance(25_000);
    await lease.ensureHeld();
    available = false;
    clock.advance(25_000);
    await lease.ensureHeld();
  });

  it('has the permit of its latest renewal, also when a scheduler that does not sign has renewed it', async () => {
    const permits = ['of the first renewal', 'of the second renewal', ''];
    const lease = await leaseWith(
      async () => ({ held: true, expiresAtMs: 0, ...notPaced, permit: permits.shift() ?? '' }),
      new ManualClock(),
    );
    const seen = [lease.permit];
    for (let renewal = 1; renewal <= 3; renewal++) {
      await lease.ensureHeld();
      seen.push(lease.permit);
    }
    expect(seen).toEqual(['of the lease', 'of the first renewal', 'of the second renewal', '']);
  });

  it('is left to expire when finishing it fails', async () => {
    const lease = await leaseWith(async () => ({ held: true, expiresAtMs: 0, ...notPaced }), new ManualClock());
    await expect(lease.finish(LeaseResult.OBSERVED, '')).resolves.toBeUndefined();
  });
});
