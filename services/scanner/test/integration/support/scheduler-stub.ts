import { createGrpcServer } from '@shopscope/grpc';
import { Admission, type FinishLeaseRequest, type ScanLease, ScanSchedulerServiceService } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';

export interface SchedulerStub {
  address: string;
  /** Queues a scan. Resolves when the scanner has finished or released its lease. */
  scan(domain: string): Promise<FinishLeaseRequest>;
  /** Refuses renewals from now on. */
  loseLeases(): void;
  renewals(): number;
  /** Returns the number of calls that wait for a scan. */
  waiting(): number;
  /** Returns the number of waits that the scanner has aborted. */
  abortedWaits(): number;
  stop(): Promise<void>;
}

const absent = async () => {
  throw new Error('not part of this stub');
};

/** The lease RPCs of the scan scheduler over real gRPC, with a queue in memory. */
export async function startSchedulerStub(port = 0): Promise<SchedulerStub> {
  const queue: ScanLease[] = [];
  const waiting = new Set<() => void>();
  const finished = new Map<string, (request: FinishLeaseRequest) => void>();
  let held = true;
  let renewals = 0;
  let abortedWaits = 0;
  let scans = 0;
  const server = createGrpcServer({ host: '127.0.0.1', port, ...silentTelemetry('stub') });
  server.addService(ScanSchedulerServiceService, {
    claimScans: absent,
    releaseClaims: absent,
    requestScans: absent,
    getJob: absent,
    listJobs: absent,
    cancelJob: absent,
    getScanTarget: absent,
    addOptOut: absent,
    removeOptOut: absent,
    listOptOuts: absent,
    resetTestScans: absent,
    leaseScan: async ({ waitMs }, { abort }) => {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          const end = () => void (waiting.delete(end) && resolve());
          waiting.add(end);
          abort.addEventListener('abort', () => {
            if (waiting.has(end)) abortedWaits += 1;
            end();
          });
          setTimeout(end, waitMs).unref();
        });
      }
      return { lease: abort.aborted ? undefined : queue.shift() };
    },
    renewLease: async () => {
      renewals += 1;
      const admission = held ? Admission.ADMITTED : Admission.UNSPECIFIED;
      const permit = held ? `renewed-${renewals}` : '';
      return { held, expiresAtMs: held ? Date.now() + 30_000 : 0, permit, admission, waitMs: 0 };
    },
    finishLease: async (request) => {
      finished.get(request.scanId)?.(request);
      return { held };
    },
    queueScans: absent,
  });
  return {
    address: await server.listen(),
    scan: (domain) =>
      new Promise((resolve) => {
        scans += 1;
        const scanId = `scan-${scans}`;
        finished.set(scanId, resolve);
        queue.push({
          scanId,
          domain,
          sequence: scans,
          leaseToken: `token-${scans}`,
          expiresAtMs: Date.now() + 30_000,
          attempt: 1,
          origin: { requestId: `req_${scans}`, traceparent: '', environment: 'live' },
          permit: `leased-${scans}`,
        });
        const [first] = waiting;
        first?.();
      }),
    loseLeases: () => {
      held = false;
    },
    renewals: () => renewals,
    waiting: () => waiting.size,
    abortedWaits: () => abortedWaits,
    stop: () => server.stop(100),
  };
}
