import type { components } from './api.gen.ts';
import { TimeoutError } from './errors.ts';
import type { Platform } from './platform.ts';

export type Job = components['schemas']['Job'];

export interface WaitForJobOptions {
  signal?: AbortSignal | undefined;
  /** Default 15 minutes. A scan ends within an hour. An enrichment or a replay may take longer, and fails after 7 days without progress. */
  timeoutMs?: number | undefined;
  /** Called with each job that was read before its end. */
  onProgress?: ((job: Job) => void) | undefined;
}

const defaultTimeoutMs = 15 * 60_000;
const firstPauseMs = 1_000;
const maxPauseMs = 10_000;

export const hasEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';

/** Reads a job until it has ended: after one second, then at longer intervals. Throws TimeoutError. */
export async function waitForJob(
  read: (signal?: AbortSignal) => Promise<Job>,
  { signal, timeoutMs = defaultTimeoutMs, onProgress }: WaitForJobOptions,
  { nowMs, sleep }: Platform,
): Promise<Job> {
  const startMs = nowMs();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    const job = await read(signal);
    if (hasEnded(job)) return job;
    onProgress?.(job);
    if (nowMs() + pauseMs - startMs > timeoutMs) {
      throw new TimeoutError(`the job ${job.id} is ${job.state} after ${timeoutMs} ms`);
    }
    await sleep(pauseMs, signal);
  }
}
