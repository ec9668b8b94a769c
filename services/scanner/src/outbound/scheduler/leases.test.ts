import { dayMs, ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { Admission, LeaseResult, type Origin } from '@shopscope/proto';
import { noOrigin } from '@shopscope/telemetry';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { LeaseLostError, OptedOutError, PutOffError } from '../../domain/abort-reasons.ts';
import { createScanLeases, type SchedulerClient } from './leases.ts';

const { logger } = silentTelemetry();
const notPaced = { permit: '', admission: Admission.UNSPECIFIED, waitMs: 0 };

async function leaseWith(renewLease: SchedulerClient['renewLease'], clock: ManualClock, origin?: Origin) {
  const client: SchedulerClient = {
    leaseScan: async () => ({
      lease: {
        scanId: 'scan-1',
        domain: 'shop.example',
        sequence: 1,
        leaseToken: 't',
        expiresAtMs: clock.now() + 30_000,
        attempt: 1,
        origin,
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

describe('the origin of a lease', () => {
  const sent = { requestId: 'req_1', traceparent: 'trace', environment: 'live' };
  const renew = async () => ({ held: true, expiresAtMs: 0, ...notPaced });

  it('the work of a lease has the request and the environment of the job', async () => {
    expect((await leaseWith(renew, new ManualClock(), sent)).origin).toEqual(sent);
    expect((await leaseWith(renew, new ManualClock())).origin).toEqual(noOrigin);
  });

  it('a lease with an unknown environment is not carried out', async () => {
    const unknown = { ...sent, environment: 'staging' };
    await expect(leaseWith(renew, new ManualClock(), unknown)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('lease', () => {
  it('a lease names its scan and domain to the scheduler', async () => {
    const calls: object[] = [];
    const lease = await leaseWith(async (request) => {
      calls.push(request);
      return { held: true, expiresAtMs: 0, ...notPaced };
    }, new ManualClock());
    await lease.ensureHeld();
    expect(calls).toEqual([{ scanId: 'scan-1', domain: 'shop.example', leaseToken: 't' }]);
  });

  it('a lease is lost at once when the scheduler refuses to renew it', async () => {
    const lease = await leaseWith(async () => ({ held: false, expiresAtMs: 0, ...notPaced }), new ManualClock());
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLostError);
    expect(lease.lost.reason).toBeInstanceOf(LeaseLostError);
  });

  it('a lease is held until shortly before its last known expiry while the scheduler is unavailable', async () => {
    const clock = new ManualClock();
    const lease = await leaseWith(() => Promise.reject(new AppError('unavailable', 'no scheduler')), clock);
    await lease.ensureHeld();
    clock.advance(28_000);
    await lease.ensureHeld();
    clock.advance(1_500);
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('a lease is held until its new expiry after a renewal', async () => {
    const clock = new ManualClock();
    let available = true;
    const lease = await leaseWith(async () => {
      if (!available) throw new AppError('unavailable', 'no scheduler');
      return { held: true, expiresAtMs: clock.now() + 30_000, ...notPaced };
    }, clock);
    clock.advance(25_000);
    await lease.ensureHeld();
    available = false;
    clock.advance(25_000);
    await lease.ensureHeld();
  });

  it('a lease has the permit of its latest renewal', async () => {
    const permits = ['of the first renewal', 'of the second renewal'];
    const lease = await leaseWith(
      async () => ({ held: true, expiresAtMs: 0, ...notPaced, permit: permits.shift() ?? '' }),
      new ManualClock(),
    );
    const seen = [lease.permit];
    for (let renewal = 1; renewal <= 2; renewal++) {
      await lease.ensureHeld();
      seen.push(lease.permit);
    }
    expect(seen).toEqual(['of the lease', 'of the first renewal', 'of the second renewal']);
  });

  it('a lease is left to expire when finishing it fails', async () => {
    const lease = await leaseWith(async () => ({ held: true, expiresAtMs: 0, ...notPaced }), new ManualClock());
    await expect(lease.finish(LeaseResult.OBSERVED, '')).resolves.toBeUndefined();
  });
});

describe('admission of a request', () => {
  const request = { host: 'shop.example', addresses: ['203.0.113.7'] };
  const never = new AbortController().signal;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answer = (clock: ManualClock, admission: Admission, waitMs = 0) => ({
    held: true,
    expiresAtMs: clock.now() + 30_000,
    permit: '',
    admission,
    waitMs,
  });

  it('a request for admission names the host and its addresses, and waits as long as the scheduler says', async () => {
    const clock = new ManualClock();
    const asked: unknown[] = [];
    const lease = await leaseWith(async ({ nextRequest }) => {
      asked.push(nextRequest);
      return answer(clock, Admission.ADMITTED, 4_000);
    }, clock);
    let isAdmitted = false;
    const admitted = lease.admit(request, never).then(() => {
      isAdmitted = true;
    });
    await turn();
    clock.advance(3_999);
    await turn();
    expect(isAdmitted).toBe(false);
    clock.advance(1);
    await admitted;
    expect(asked).toEqual([request]);
  });

  it.each([
    [Admission.PUT_OFF, PutOffError],
    [Admission.OPTED_OUT, OptedOutError],
  ])('the visit ends when the admission of a request is %s', async (admission, error) => {
    const clock = new ManualClock();
    const lease = await leaseWith(async () => answer(clock, admission), clock);
    await expect(lease.admit(request, never)).rejects.toBeInstanceOf(error);
  });

  it('the admission of a request is asked for again after a wait for one of several targets', async () => {
    const clock = new ManualClock();
    const admissions = [answer(clock, Admission.WAIT, 1_000), answer(clock, Admission.ADMITTED, 0)];
    const lease = await leaseWith(async () => admissions.shift() ?? answer(clock, Admission.PUT_OFF), clock);
    const admitted = lease.admit(request, never);
    await turn();
    expect(admissions).toHaveLength(1);
    clock.advance(1_000);
    await admitted;
    expect(admissions).toHaveLength(0);
  });

  it('the admission of a request is not given while the scheduler is unavailable, and the lease is lost in the end', async () => {
    const clock = new ManualClock();
    let calls = 0;
    const lease = await leaseWith(() => {
      calls += 1;
      return Promise.reject(new AppError('unavailable', 'no scheduler'));
    }, clock);
    const admitted = lease.admit(request, never);
    admitted.catch(() => {});
    for (let ms = 0; ms < 35_000; ms += 500) {
      await turn();
      clock.advance(500);
    }
    await expect(admitted).rejects.toBeInstanceOf(LeaseLostError);
    expect(calls).toBeLessThanOrEqual(60);
  });

  it('the admission of a request is asked for once when the scheduler refuses the request permanently', async () => {
    const refusal = new AppError('invalid_request', 'next_request.host must be a host name');
    let calls = 0;
    const lease = await leaseWith(() => {
      calls += 1;
      return Promise.reject(refusal);
    }, new ManualClock());
    await expect(lease.admit(request, never)).rejects.toBe(refusal);
    expect(calls).toBe(1);
  });

  it.each([
    new AppError('unavailable', 'no scheduler'),
    // A call that took too long.
    new AppError('internal', 'Internal error.'),
  ])('the admission of a request is asked for again after an error that may pass: %s', async (error) => {
    const clock = new ManualClock();
    const errors = [error];
    const lease = await leaseWith(async () => {
      const next = errors.shift();
      if (next) throw next;
      return answer(clock, Admission.ADMITTED);
    }, clock);
    const admitted = lease.admit(request, never);
    await turn();
    clock.advance(500);
    await admitted;
  });

  it('a refusal by an opt-out ends the lease when it is unknown whose opt-out it is', async () => {
    const clock = new ManualClock();
    const answers = [answer(clock, Admission.OPTED_OUT), answer(clock, Admission.UNSPECIFIED)];
    const lease = await leaseWith(async () => {
      const next = answers.shift();
      if (!next) throw new AppError('unavailable', 'no scheduler');
      return next;
    }, clock);
    await expect(lease.admit(request, never)).rejects.toBeInstanceOf(OptedOutError);
    await lease.ensureHeld();
    await expect(lease.ensureHeld()).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('the admission of a request is not waited for longer than a minute when the clock of the scheduler is ahead', async () => {
    const clock = new ManualClock();
    const ahead = { ...answer(clock, Admission.WAIT, 100), expiresAtMs: clock.now() + dayMs };
    const answers = [ahead];
    const lease = await leaseWith(async () => {
      const next = answers.shift();
      if (!next) throw new AppError('unavailable', 'no scheduler');
      return next;
    }, clock);
    const admitted = lease.admit(request, never);
    admitted.catch(() => {});
    for (let ms = 0; ms < 62_000; ms += 500) {
      await turn();
      clock.advance(500);
    }
    await expect(admitted).rejects.toBeInstanceOf(LeaseLostError);
  });
});
