import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Dependencies } from '../dependencies.ts';

export interface RescanEnd {
  jobId: string;
  /** Null: the scan has succeeded. */
  failureCode: string | null;
  endedAtMs: number;
}

/** Saves how jobs have ended with the stores whose rescans they were. Jobs of other requests change nothing. */
export async function recordRescanEnds<E extends Environment>(
  { rescans, watchedTurns }: Pick<Dependencies<E>, 'rescans' | 'watchedTurns'>,
  tenant: Tenant<E>,
  ends: readonly RescanEnd[],
  deadline: Deadline,
): Promise<void> {
  const byJob = new Map(ends.map((end) => [end.jobId, end]));
  const found = await rescans.findByJobs(tenant, [...byJob.keys()], deadline.timeoutMs());
  for (const rescan of found) {
    const end = byJob.get(rescan.jobId ?? '');
    if (!end) continue;
    const { domain, watchlistId: id } = rescan;
    const { failureCode, endedAtMs } = end;
    const endedAt = new Date(endedAtMs);
    await watchedTurns.recordEnd({ ...tenant, id }, { domain, failureCode, endedAt }, deadline.timeoutMs());
    await rescans.deleteEnded(rescan, deadline.timeoutMs());
  }
}
