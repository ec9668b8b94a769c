import type { Client, Job } from '@shopscope/client';
import type { Call } from './command.ts';
import { createProgress } from './enrich/progress.ts';

const maxWaitMs = 60 * 60_000;

/** Waits for a job of many inputs, and shows how far it is. Throws TimeoutError. */
export async function waitWithProgress({ terminal }: Pick<Call, 'terminal'>, client: Client, id: string): Promise<Job> {
  const progress = createProgress(terminal);
  try {
    return await client.waitForJob(id, {
      signal: terminal.interrupted,
      timeoutMs: maxWaitMs,
      // The total of a job that has not begun is 0.
      onProgress: ({ progress: { done, total } }) => progress.show({ done, total: total || undefined }),
    });
  } finally {
    progress.end();
  }
}
