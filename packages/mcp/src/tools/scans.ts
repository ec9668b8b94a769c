import { type Job, ShopscopeError, TimeoutError } from '@shopscope/client';
import { z } from 'zod';
import { quoted } from '../quoted.ts';
import { type DefinedTool, defineTool, type ScanWaits, type ToolRun } from './tool.ts';

const jobView = {
  job_id: z.string(),
  domain: z.string().nullable(),
  state: z.string().describe('queued and running: call wait_for_scan again. succeeded: look_up_store shows it'),
  reason: z.string().nullable().describe('Why the scan failed'),
};

const viewOf = ({ id, domain, state, error }: Job) => ({
  job_id: id,
  domain,
  state,
  reason: error && quoted(`${error.code}: ${error.message}`, 300),
});

/** Clients of the protocol give up after a minute. */
export const maxWaitSeconds = 50;

const waitSeconds = z
  .int()
  .min(0)
  .max(maxWaitSeconds)
  .default(maxWaitSeconds)
  .describe('How long to wait for the end of the scan. The server may wait shorter');

/** Resolves to the ended job, or to its current state after `waitSeconds`, which the server bounds. */
async function ended(job: Job, waitSeconds: number, { client, waits, signal }: ToolRun): Promise<Job> {
  const waitS = Math.min(waitSeconds, waits.maxSeconds);
  if (waitS === 0 || waits.end?.aborted) return job;
  try {
    return await client.waitForJob(job.id, { signal: eitherOf(signal, waits), timeoutMs: waitS * 1_000 });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TimeoutError) && !waits.end?.aborted) throw error;
    return client.getJob(job.id, { signal });
  }
}

export const scanTools: readonly DefinedTool[] = [
  defineTool('request_scan', {
    title: 'Scan a store',
    description:
      'Asks for a scan of a store now, and waits for it for some seconds. Bills 1 unit (refresh_requested), unless a scan of it is already ' +
      'under way for the workspace. A scan usually takes minutes; one that fails stays billed. Needs a key with write:scans.',
    input: { domain: z.string().min(3).max(253), wait_seconds: waitSeconds },
    output: jobView,
    readOnly: false,
    unitsAtMost: () => 1,
    async run({ domain, wait_seconds }, run) {
      const job = await run.client.requestScan(domain, { signal: run.signal });
      // The scan was requested and billed, even if its state cannot be read because the key lacks read:jobs.
      const seen = await ended(job, wait_seconds, run).catch((error) => {
        if (error instanceof ShopscopeError) return job;
        throw error;
      });
      return { result: viewOf(seen), spent: job.billed.refresh_requested };
    },
  }),
  defineTool('wait_for_scan', {
    title: 'Wait for a scan',
    description: 'The state of a scan, when it has ended or after some seconds. Free.',
    input: { job_id: z.string().min(1).max(100), wait_seconds: waitSeconds },
    output: jobView,
    unitsAtMost: () => 0,
    async run({ job_id, wait_seconds }, run) {
      const job = await run.client.getJob(job_id, { signal: run.signal });
      return { result: viewOf(await ended(job, wait_seconds, run)), spent: 0 };
    },
  }),
];

const eitherOf = (signal: AbortSignal, { end }: ScanWaits) => (end ? AbortSignal.any([signal, end]) : signal);
