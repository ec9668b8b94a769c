import { ManualClock } from '@shopscope/clock';
import { LeaseResult } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { LeaseLost, ScannerStopping } from '../domain/endings.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { createScannerMetrics } from '../metrics.ts';
import type { HeldLease } from '../outbound/scheduler/leases.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import { carryOutScan } from './carry-out-scan.ts';

interface Script {
  /** What each request meets; a closed port unless given. */
  fetch?: Visit['fetch'];
  ensureHeld?: () => void;
  publish?: () => Promise<void>;
  stopping?: AbortSignal;
}

/** Carries out one scan and returns, in order, what was done to the outside. */
async function stepsOf(script: Script): Promise<string[]> {
  const steps: string[] = [];
  const lost = new AbortController();
  const lease: HeldLease = {
    scanId: 'scan-1',
    domain: 'shop.test',
    sequence: 3,
    origin: { requestId: 'req_1', traceparent: '' },
    lost: lost.signal,
    ensureHeld: async () => {
      steps.push('renew');
      script.ensureHeld?.();
    },
    finish: async (result, reason) => {
      steps.push(result === LeaseResult.OBSERVED ? 'finish observed' : `finish abandoned ${reason}`);
    },
  };
  const visit: Visit = {
    isMapped: () => true,
    close: async () => void steps.push('close'),
    fetch: async (...request) => {
      steps.push('fetch');
      if (script.fetch) return script.fetch(...request);
      throw new VisitFailure('server_error', 'as scripted');
    },
  };
  const { logger, registry } = silentTelemetry('scanner');
  const options = {
    visitor: { begin: () => visit },
    clock: new ManualClock(),
    bounds: { scanMs: 1_000, maxPageBytes: 1_000, maxListingBytes: 1_000 },
    product: 'ShopscopeBot',
    metrics: createScannerMetrics(registry),
    logger,
    observations: {
      publish: async () => {
        steps.push('publish');
        await script.publish?.();
      },
    },
  };
  await carryOutScan(lease, options, script.stopping ?? new AbortController().signal);
  return steps;
}

describe('carrying out a scan', () => {
  it('publishes under a lease that was just renewed, and finishes only then', async () => {
    expect(await stepsOf({})).toEqual(['renew', 'fetch', 'close', 'renew', 'publish', 'finish observed']);
  });

  it('an observation that is not durable gives the work back', async () => {
    const steps = await stepsOf({ publish: () => Promise.reject(new Error('no broker')) });
    expect(steps.slice(-2)).toEqual(['publish', 'finish abandoned publish_failed']);
  });

  it('a lease that was lost during the visit publishes and finishes nothing', async () => {
    let renewals = 0;
    const ensureHeld = () => {
      renewals += 1;
      if (renewals === 2) throw new LeaseLost();
    };
    expect(await stepsOf({ ensureHeld })).toEqual(['renew', 'fetch', 'close', 'renew']);
  });

  it('a fault of ours gives the work back, whatever it is', async () => {
    const fetch = () => Promise.reject(new TypeError('a bug'));
    expect((await stepsOf({ fetch })).at(-1)).toBe('finish abandoned scanner_fault');
  });

  it('a stop gives the work back', async () => {
    const fetch = () => Promise.reject(new ScannerStopping());
    expect((await stepsOf({ fetch })).at(-1)).toBe('finish abandoned scanner_stopping');
  });
});
