import { type Clock, systemClock } from '@shopscope/clock';
import {
  createAddressPolicy,
  createTlsContext,
  type Dial,
  dialTcp,
  fixedTestHosts,
  type NameResolver,
  type TestHost,
} from '@shopscope/outbound-http';
import { type ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { examinations } from '../../../src/domain/examination.ts';
import { userAgentOf } from '../../../src/domain/robot.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { type ObserveDependencies, observeDomain, type ScanTask } from '../../../src/operations/observe-domain.ts';
import type { Examiner } from '../../../src/outbound/examiner/examiner.ts';
import { createHostPacer } from '../../../src/outbound/web/host-pacer.ts';
import type { RecordResolver } from '../../../src/outbound/web/records.ts';
import { createVisitor, type WebBounds } from '../../../src/outbound/web/visitor.ts';

export interface ObserverOptions {
  hosts?: Record<string, TestHost>;
  resolver?: NameResolver;
  records?: RecordResolver;
  dial?: Dial;
  web?: Partial<WebBounds>;
  bounds?: Partial<ObserveDependencies['bounds']>;
  admit?: ScanTask['admit'];
  /** The clock of the pauses between requests to a host. */
  pacingClock?: Clock;
}

const nobodyKnows: NameResolver = { resolve: () => Promise.reject(new Error('no name is to be resolved here')) };

const tlsContext = createTlsContext();

const noRecords: RecordResolver = { query: () => Promise.reject(new Error('no record is to be read here')) };

/** Examines in this process, without limits. Inputs and results are copied as between processes. */
const examiner: Pick<Examiner, 'forScan'> = {
  forScan: () => async (kind, input) => structuredClone(examinations[kind](structuredClone(input) as never)) as never,
};

/** The scan of one domain without lease and scheduler, with small limits. Returns the observation. */
export function createObserver(options: ObserverOptions = {}) {
  const { registry } = silentTelemetry('scanner');
  const metrics = createMetrics(registry);
  const visitor = createVisitor({
    policy: createAddressPolicy([]),
    resolver: options.resolver ?? nobodyKnows,
    records: options.records ?? noRecords,
    testHosts: fixedTestHosts(options.hosts ?? {}),
    dial: options.dial ?? dialTcp,
    tlsContext,
    pacer: createHostPacer(options.pacingClock ?? systemClock),
    hostDelayMs: 0,
    userAgent: userAgentOf('https://shopscope.test/robot'),
    bounds: {
      connectMs: 2_000,
      requestMs: 5_000,
      idleMs: 5_000,
      maxHeaderBytes: 64 * 1024,
      maxWireBytes: 8 * 1024 * 1024,
      dnsMs: 2_000,
      ...options.web,
    },
    clock: systemClock,
    metrics,
  });
  return {
    registry,
    observe: (domain: string, signal: AbortSignal = new AbortController().signal): Promise<ObservationCompleted> =>
      observeDomain(
        {
          visitor,
          examiner,
          metrics,
          clock: systemClock,
          product: 'ShopscopeBot',
          bounds: {
            scanMs: 10_000,
            maxPageBytes: 8 * 1024 * 1024,
            maxListingBytes: 10 * 1024 * 1024,
            maxFurtherPageBytes: 1024 * 1024,
            ...options.bounds,
          },
        },
        { scanId: 'scan-1', domain, sequence: 7, checkLease: async () => {}, admit: options.admit ?? (async () => {}) },
        signal,
      ),
  };
}

/** The parts of an observation that describe the outcome of the scan. */
export const ending = (observation: ObservationCompleted) => ({
  outcome: Object.entries(ObservationOutcome).find(([, value]) => value === observation.outcome)?.[0],
  reason: observation.reason,
  status: observation.statusState,
});
