import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { ScanFailure } from '../../domain/rescan.ts';
import type { SuccessfulScan } from '../../outbound/mongo/scan-failures.ts';
import type { Dependencies } from '../dependencies.ts';

export interface JobEnd {
  jobId: string;
  /** Null if the scan has succeeded. */
  failure: ScanFailure | null;
}

/** Counts the failures of scans, and deletes the rescans whose scans these were. */
export async function recordRescanEnds<E extends Environment>(
  { rescans, scanFailures }: Pick<Dependencies<E>, 'rescans' | 'scanFailures'>,
  tenant: Tenant<E>,
  ends: readonly JobEnd[],
  deadline: Deadline,
): Promise<void> {
  const failures = ends.flatMap(({ failure }) => failure ?? []);
  await scanFailures.count(tenant, failures, deadline.timeoutMs());
  const jobIds = ends.map(({ jobId }) => jobId);
  await rescans.deleteEnded(tenant, jobIds, deadline.timeoutMs());
}

/** A successful scan of a store ends the series of its failures, even if it is a background scan. */
export async function recordSuccesses<E extends Environment>(
  { scanFailures }: Pick<Dependencies<E>, 'scanFailures'>,
  scans: readonly SuccessfulScan[],
  deadline: Deadline,
): Promise<void> {
  await scanFailures.forget(scans, deadline.timeoutMs());
}
