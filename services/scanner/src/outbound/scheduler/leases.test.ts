import { ManualClock } from '@shopscope/clock';
import { LeaseResult } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../domain/endings.ts';
import { createScanLeases, type SchedulerClient } from './leases.ts';

const { logger } = silentTelemetry();

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
  it('that is refused is lost at once', async () => {
    const lease = await leaseWith(async () => ({ held: false, expiresAtMs: 0 }), new ManualClock());
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLost);
    expect(lease.lost.reason).toBeInstanceOf(LeaseLost);
  });

  it('is held until its promised end while the scheduler does not answer, and no longer', async () => {
    const clock = new ManualClock();
    const lease = await leaseWith(() => Promise.reject(new Error('unavailable')), clock);
    await lease.ensureHeld();
    clock.advance(28_000);
    await lease.ensureHeld();
    clock.advance(1_500);
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLost);
  });

  it('that is renewed lasts longer', async () => {
    const clock = new ManualClock();
    let answers = true;
    const lease = await leaseWith(async () => {
      if (!answers) throw new Error('unavailable');
      return { held: true, expiresAtMs: clock.now() + 30_000 };
    }, clock);
    clock.advance(25_000);
    await lease.ensureHeld();
    answers = false;
    clock.advance(25_000);
    await lease.ensureHeld();
  });

  it('that cannot be given back runs out by itself', async () => {
    const lease = await leaseWith(async () => ({ held: true, expiresAtMs: 0 }), new ManualClock());
    await expect(lease.finish(LeaseResult.OBSERVED, '')).resolves.toBeUndefined();
  });
});
