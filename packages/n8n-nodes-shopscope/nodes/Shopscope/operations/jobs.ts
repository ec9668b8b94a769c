import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../../shared/api-failure.ts';
import type { OperationContext } from './operation.ts';

const firstPauseMs = 1_000;
const maxPauseMs = 10_000;
const minuteMs = 60_000;

const hasEnded = ({ state }: IDataObject): boolean => state !== 'queued' && state !== 'running';

/** Reads a job until it has ended: after one second, then at longer intervals, for as long as the parameter `maxWait` says. */
export async function waitForJob(
  { api, parameter, sleep }: OperationContext,
  job: IDataObject,
  item: number,
): Promise<IDataObject> {
  let current = job;
  let leftMs = Number(parameter('maxWait', item)) * minuteMs;
  for (let pauseMs = firstPauseMs; !hasEnded(current); pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    if (leftMs <= 0) throw timeout(current);
    await sleep(Math.min(pauseMs, leftMs));
    leftMs -= pauseMs;
    current = await api({ path: `/v1/jobs/${String(job.id)}` });
  }
  return current;
}

const timeout = ({ id, state }: IDataObject): ApiFailure =>
  new ApiFailure(`the job ${String(id)} is still ${String(state)} after the longest wait`, {
    code: 'wait_ended',
    status: 0,
    requestId: '',
    retryAfterMs: undefined,
  });
