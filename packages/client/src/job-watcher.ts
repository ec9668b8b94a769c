import type { Operations } from './operations.ts';
import type { Platform } from './platform.ts';
import { hasEnded, type Job } from './wait-for-job.ts';

/** The service ends every scan within an hour. This bounds the wait if it does not. */
const maxWaitMs = 65 * 60_000;
const pauseMs = 5_000;
const pageSize = 200;
/** If a list has more pages, the jobs are read one by one, which needs fewer requests. */
const maxPages = 5;

/** Waits for many jobs with few requests: each round reads the lists of queued and of running jobs, then each job that is in neither. */
export function createJobWatcher(
  client: Operations,
  { nowMs, sleep }: Platform,
  signal: AbortSignal,
  /** Runs each request within the bound of the run's concurrency. */
  turns: <T>(call: () => Promise<T>) => Promise<T>,
) {
  const waiting = new Map<string, { sinceMs: number; resolve: (job: Job) => void; reject: (error: unknown) => void }>();
  let isRunning = false;

  async function unfinished(): Promise<Set<string>> {
    const ids = new Set<string>();
    // Queued first: a job that is leased between the two lists is in the second one.
    for (const state of ['queued', 'running'] as const) {
      let cursor: string | null = null;
      for (let pages = 0; pages < maxPages; pages++) {
        const query = { state, type: 'scan' as const, limit: pageSize, ...(cursor !== null && { cursor }) };
        const page: { data: readonly Job[]; next_cursor: string | null } = await turns(async () =>
          client.listJobs(query, { signal }),
        );
        for (const { id } of page.data) ids.add(id);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
    }
    return ids;
  }

  async function round(): Promise<void> {
    await sleep(pauseMs, signal);
    const open = await unfinished();
    for (const [id, { sinceMs, resolve }] of [...waiting]) {
      const isOverdue = nowMs() - sinceMs > maxWaitMs;
      if (open.has(id) && !isOverdue) continue;
      const job = await turns(() => client.getJob(id, { signal }));
      if (!hasEnded(job) && !isOverdue) continue;
      waiting.delete(id);
      resolve(job);
    }
  }

  /** Never rejects. */
  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (waiting.size > 0) await round();
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    }
    isRunning = false;
  }

  return {
    /** Resolves when the job has ended. Rejects when the jobs cannot be read. */
    ended(jobId: string): Promise<Job> {
      return new Promise((resolve, reject) => {
        const before = waiting.get(jobId);
        waiting.set(jobId, {
          sinceMs: nowMs(),
          resolve: (job) => {
            before?.resolve(job);
            resolve(job);
          },
          reject: (error) => {
            before?.reject(error);
            reject(error);
          },
        });
        if (!isRunning) void run();
      });
    },
  };
}
