import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { JobState } from '@shopscope/proto';
import type { Execution, Rescan } from '../../domain/rescan.ts';
import type { Dependencies } from '../dependencies.ts';
import { originOf } from './execute-rescan.ts';

/**
 * Cancels the scan of a withdrawn rescan, if it has not begun. Its unit is given back.
 *
 * - The rescan has joined the scan, or another charge of the workspace has -> it continues. scan-scheduler decides this.
 * - The call fails -> the next visit repeats it. A repeated call changes nothing.
 */
export async function withdrawRescan<E extends Environment>(
  { environment, charging, logger }: Pick<Dependencies<E>, 'environment' | 'charging' | 'logger'>,
  rescan: Rescan,
  deadline: Deadline,
): Promise<Execution> {
  const { workspaceId, jobId, isBilled, chargeId } = rescan;
  try {
    if (!jobId || !isBilled) return { rescan, outcome: 'kept' };
    const canceled = { workspaceId, jobId, unlessNeeded: true };
    const job = await charging.scheduler.cancelJob(canceled, originOf(environment, rescan), deadline);
    if (!job) throw new AppError('not_found', 'The request of the scan has not arrived yet.');
    const isOwed = job.state === JobState.CANCELED && job.attempts === 0 && !job.refunded;
    if (isOwed) throw new AppError('unavailable', 'The unit is given back when the request of the scan has arrived.');
    return { rescan, outcome: job.refunded ? 'canceled' : 'kept' };
  } catch (error) {
    logger.warn({ err: error, chargeId, workspaceId, jobId }, 'a rescan was not withdrawn; it is repeated');
    return { rescan, outcome: 'failed' };
  }
}
