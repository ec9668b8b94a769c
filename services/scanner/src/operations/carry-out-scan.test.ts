import { ManualClock } from '@shopscope/clock';
import { LeaseResult } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import { LeaseLostError, OptedOutError, PutOffError, ScannerStoppingError } from '../domain/abort-reasons.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { createMetrics } from '../metrics.ts';
import type { HeldLease } from '../outbound/scheduler/leases.ts';
import type { Visit, VisitGate } from '../outbound/web/visitor.ts';
import { carryOutScan } from './carry-out-scan.ts';

interface Script {
  /** The outcome of each request; default: `server_error`. */
  fetch?: Visit['fetch'];
  ensureHeld?: () => void;
  admit?: () => Promise<void>;
  publish?: (permit: string) => Promise<void>;
  /** Whether the canaries are reached after a failed visit. Default: true. */
  egressWorks?: boolean;
  stopping?: AbortSignal;
}

/** Carries out one scan and returns its calls to the lease, the web and Kafka, in order. */
async function stepsOf(script: Script): Promise<string[]> {
  const steps: string[] = [];
  const lost = new AbortController();
  const lease: HeldLease = {
    scanId: 'scan-1',
    domain: 'shop.test',
    sequence: 3,
    origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
    get permit() {
      return `permit of renewal ${steps.filter((step) => step === 'renew').length}`;
    },
    lost: lost.signal,
    ensureHeld: async () => {
      steps.push('renew');
      script.ensureHeld?.();
    },
    admit: async () => {
      steps.push('admit');
      await script.admit?.();
    },
    finish: async (result, reason) => {
      steps.push(result === LeaseResult.OBSERVED ? 'finish observed' : `finish abandoned ${reason}`);
    },
  };
  const visitWith = ({ admit }: VisitGate): Visit => ({
    isTestHost: () => true,
    cookiesFor: () => '',
    query: async () => [],
    certificateOf: () => undefined,
    close: async () => void steps.push('close'),
    fetch: async (...request) => {
      await admit('shop.test', ['127.0.0.1']);
      steps.push('fetch');
      if (script.fetch) return script.fetch(...request);
      throw new VisitFailure('server_error', 'as scripted');
    },
  });
  const { logger, registry } = silentTelemetry('scanner');
  const deps = {
    visitor: { begin: (_abort: AbortSignal, gate: VisitGate) => visitWith(gate) },
    examiner: { forScan: () => () => Promise.reject(new Error('nothing is to be examined here')) },
    clock: new ManualClock(),
    bounds: { scanMs: 1_000, maxPageBytes: 1_000, maxListingBytes: 1_000, maxFurtherPageBytes: 1_000 },
    product: 'ShopscopeBot',
    metrics: createMetrics(registry),
    logger,
    egress: {
      ensureWorks: async () => {
        steps.push('canaries');
        if (script.egressWorks === false) throw new VisitFailure('egress_broken', 'as scripted');
      },
    },
    observations: {
      publish: async (_observation: unknown, _origin: unknown, permit: string) => {
        steps.push('publish');
        await script.publish?.(permit);
      },
    },
  };
  await carryOutScan(deps, lease, script.stopping ?? new AbortController().signal);
  return steps;
}

describe('carryOutScan', () => {
  it('a scan renews its lease directly before publishing, and finishes it only after publishing', async () => {
    expect(await stepsOf({})).toEqual(['admit', 'fetch', 'close', 'canaries', 'renew', 'publish', 'finish observed']);
  });

  it('a scan releases its lease when the observation was not durable', async () => {
    const steps = await stepsOf({ publish: () => Promise.reject(new Error('no broker')) });
    expect(steps.slice(-2)).toEqual(['publish', 'finish abandoned publish_failed']);
  });

  it('a scan neither publishes nor finishes when its lease was lost during the visit', async () => {
    const ensureHeld = () => {
      throw new LeaseLostError();
    };
    expect(await stepsOf({ ensureHeld })).toEqual(['admit', 'fetch', 'close', 'canaries', 'renew']);
  });

  it('a scan publishes its observation with the permit of the latest renewal', async () => {
    const permits: string[] = [];
    await stepsOf({ publish: async (permit) => void permits.push(permit) });
    expect(permits).toEqual(['permit of renewal 1']);
  });

  it('a scan releases its lease after any defect of the scanner', async () => {
    const fetch = () => Promise.reject(new TypeError('a bug'));
    expect((await stepsOf({ fetch })).at(-1)).toBe('finish abandoned scanner_fault');
  });

  it('a scan publishes nothing when our name servers did not answer, and releases its lease with this reason', async () => {
    const fetch = () => Promise.reject(new VisitFailure('dns_unavailable', 'SERVFAIL'));
    expect(await stepsOf({ fetch })).toEqual([
      'admit',
      'fetch',
      'close',
      'canaries',
      'finish abandoned dns_unavailable',
    ]);
  });

  it.each(['timeout', 'dns_failure', 'dns_unavailable'] as const)(
    'a scan publishes nothing about a visit that ended as %s while our own access to the web is broken',
    async (reason) => {
      const fetch = () => Promise.reject(new VisitFailure(reason, 'as scripted'));
      const steps = await stepsOf({ fetch, egressWorks: false });
      expect(steps).not.toContain('publish');
      expect(steps.slice(-2)).toEqual(['canaries', 'finish abandoned egress_broken']);
    },
  );

  it('a scan asks no canaries about a site that answers', async () => {
    const fetch = () => Promise.reject(new VisitFailure('robots_disallowed', 'as scripted'));
    expect(await stepsOf({ fetch })).not.toContain('canaries');
  });

  it.each([
    ['put off', new PutOffError(), 'put_off'],
    ['opted out', new OptedOutError(), 'opted_out'],
  ])(
    'a scan sends no request and publishes nothing when its target is %s, and releases its lease with this reason',
    async (_name, error, reason) => {
      expect(await stepsOf({ admit: () => Promise.reject(error) })).toEqual([
        'admit',
        'close',
        `finish abandoned ${reason}`,
      ]);
    },
  );

  it('a scan releases its lease when the scanner stops', async () => {
    const fetch = () => Promise.reject(new ScannerStoppingError());
    expect((await stepsOf({ fetch })).at(-1)).toBe('finish abandoned scanner_stopping');
  });
});
