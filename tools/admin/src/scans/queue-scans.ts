import type { GrpcClient } from '@shopscope/grpc';
import { QueueOutcome, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { type Patience, patientCall } from '../corpus/patient-call.ts';

export interface QueuedScans {
  domains: number;
  /** Lines that name a domain of the same call once more. */
  repeated: number;
  queued: number;
  /** Domains whose scan waits or is carried out. */
  live: number;
  visited: number;
  /** Domains whose latest scans got another page than the store's. */
  resting: number;
}

export interface QueueScansOptions extends Patience {
  scheduler: Pick<GrpcClient<typeof ScanSchedulerServiceService>, 'queueScans'>;
  domains: AsyncIterable<string> | Iterable<string>;
  skipVisitedSinceMs: number;
  origin: Origin;
  onProgress?(done: QueuedScans): void;
}

/** Half of what a call may have, so that it ends within its deadline on a slow database. */
const maxDomainsPerCall = 500;

/**
 * Queues scans of domains, in calls of {@link maxDomainsPerCall}, one after the other.
 *
 * - Killed at any point, or `abort` -> the same list again leaves out what is queued or visited.
 * - scan-scheduler is unavailable -> {@link patientCall}.
 */
export async function queueScans(options: QueueScansOptions): Promise<QueuedScans> {
  const { scheduler, domains, skipVisitedSinceMs, origin, abort, onProgress } = options;
  const done: QueuedScans = { domains: 0, repeated: 0, queued: 0, live: 0, visited: 0, resting: 0 };
  let batch = new Set<string>();
  const send = async () => {
    const request = { domains: [...batch], skipVisitedSinceMs };
    batch = new Set();
    const { outcomes } = await patientCall((bounds) => scheduler.queueScans(request, { ...bounds, origin }), options);
    const count = (outcome: QueueOutcome) => outcomes.filter((each) => each === outcome).length;
    done.domains += outcomes.length;
    done.queued += count(QueueOutcome.QUEUED);
    done.live += count(QueueOutcome.LIVE);
    done.visited += count(QueueOutcome.VISITED);
    done.resting += count(QueueOutcome.RESTING);
    onProgress?.({ ...done });
  };
  for await (const domain of domains) {
    if (abort?.aborted) break;
    if (batch.has(domain)) done.repeated += 1;
    batch.add(domain);
    if (batch.size === maxDomainsPerCall) await send();
  }
  if (batch.size > 0 && !abort?.aborted) await send();
  return done;
}
