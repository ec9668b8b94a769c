import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { JobState, ScanSchedulerServiceService } from '@shopscope/proto';
import { DemoCorpusError } from './control.ts';

/** Addresses of the running system, and the workspace that scans the demo stores. */
export interface DemoSystem {
  apiUrl: string;
  schedulerAddress: string;
  profilesAddress: string;
  security: GrpcSecurity;
  corpusKey: { workspaceId: string; secret: string };
  demoStoresUrl: string;
  report(line: string): void;
}

export interface EnrichResult {
  input: string;
  match: string;
  scan_job_id: string | null;
  store: { domain: string; recent_signals: { type: string }[] } | null;
}

const maxBatchSize = 100;
const answerTimeoutMs = 30_000;
const pollMs = 200;
const reportEveryMs = 2_000;

/** One result per domain, in order. With `refresh`, each domain is scanned. */
export async function enrich(system: DemoSystem, domains: readonly string[], refresh: boolean) {
  const results: EnrichResult[] = [];
  for (let start = 0; start < domains.length; start += maxBatchSize) {
    const response = await fetch(`${system.apiUrl}/v1/stores/enrich`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.corpusKey.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domains: domains.slice(start, start + maxBatchSize), refresh }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    if (!response.ok) throw new DemoCorpusError(`The API request for the demo stores failed: ${await response.text()}`);
    results.push(...((await response.json()) as { results: EnrichResult[] }).results);
  }
  return results;
}

/**
 * Scans demo stores as a customer does: enrich with refresh, then wait for the jobs. Resolves with the end of each scan: an empty text
 * after success, otherwise the scheduler's message. A scan is not done after `timeoutMs` -> it counts as failed and continues in the background.
 */
export async function scan(
  system: DemoSystem,
  domains: readonly string[],
  timeoutMs: number,
): Promise<Map<string, string>> {
  const jobs = new Map<string, string>();
  for (const { input, scan_job_id: jobId } of await enrich(system, domains, true)) if (jobId) jobs.set(input, jobId);
  const scheduler = createGrpcClient({
    definition: ScanSchedulerServiceService,
    address: system.schedulerAddress,
    security: system.security.towards('scan-scheduler'),
  });
  try {
    return await awaitJobs(system.report, jobs, timeoutMs, async (jobId) => {
      const { job } = await scheduler.getJob({ workspaceId: system.corpusKey.workspaceId, jobId });
      if (job?.state === JobState.SUCCEEDED) return '';
      const ended = job?.state === JobState.FAILED || job?.state === JobState.CANCELED;
      return ended ? job.errorMessage || job.errorCode || 'The scan was canceled.' : undefined;
    });
  } finally {
    scheduler.close();
  }
}

async function awaitJobs(
  report: DemoSystem['report'],
  jobs: ReadonlyMap<string, string>,
  timeoutMs: number,
  endOf: (jobId: string) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const endMs = performance.now() + timeoutMs;
  const ended = new Map<string, string>();
  let reportedAtMs = performance.now();
  for (;;) {
    for (const [domain, jobId] of jobs) {
      if (ended.has(domain)) continue;
      const end = await endOf(jobId);
      if (end !== undefined) ended.set(domain, end);
    }
    if (ended.size === jobs.size) return ended;
    if (performance.now() > endMs) {
      report(
        `${jobs.size - ended.size} scans were not done after ${timeoutMs / 1_000} s; they continue in the background`,
      );
      for (const domain of jobs.keys()) if (!ended.has(domain)) ended.set(domain, 'The scan was not done in time.');
      return ended;
    }
    if (performance.now() - reportedAtMs > reportEveryMs) {
      report(`${ended.size} of ${jobs.size} scans are done`);
      reportedAtMs = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
