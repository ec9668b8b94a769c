import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { LocalStackError } from '@shopscope/local-stack';
import { JobState, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Report } from './report.ts';

export interface FillOptions {
  apiUrl: string;
  schedulerAddress: string;
  security: GrpcSecurity;
  filling: { workspaceId: string; secret: string };
  demoStoresUrl: string;
  report: Report;
}

const fillTimeoutMs = 180_000;
const batchMax = 100;
const unseenCount = 3;

export interface Corpus {
  /** Domains that have a profile now; a store that is dead or does not want visitors has none. */
  domains: string[];
  /** Demo stores that were left out, so that there are some the service has never seen. */
  unseenDomains: string[];
}

/**
 * Fills the corpus the way a customer would: enrich with refresh for the demo stores, then wait for the jobs.
 */
export async function fillCorpus(options: FillOptions): Promise<Corpus> {
  const stores = await demoStores(options.demoStoresUrl);
  const unseenDomains = leftOut(stores);
  const domains = stores.map(({ domain }) => domain).filter((domain) => !unseenDomains.includes(domain));
  const jobs = new Map<string, string>();
  for (let start = 0; start < domains.length; start += batchMax) {
    for (const { input, scan_job_id: jobId } of await requestScans(options, domains.slice(start, start + batchMax))) {
      if (jobId) jobs.set(input, jobId);
    }
  }
  const scheduler = createGrpcClient({
    definition: ScanSchedulerServiceService,
    address: options.schedulerAddress,
    security: options.security.towards('scan-scheduler'),
  });
  try {
    const scanned = await awaitJobs(options, jobs, async (jobId) => {
      const { job } = await scheduler.getJob({ workspaceId: options.filling.workspaceId, jobId });
      return job?.state ?? JobState.UNSPECIFIED;
    });
    return { domains: scanned, unseenDomains };
  } finally {
    scheduler.close();
  }
}

interface DemoStore {
  domain: string;
  platform: string;
  state: string;
}

async function demoStores(url: string): Promise<DemoStore[]> {
  const answer = (await (await fetch(`${url}/__control`)).json()) as { stores: DemoStore[] };
  return answer.stores;
}

/** The last open shops of the platform that has the most, whose absence makes the corpus no less varied. */
export function leftOut(stores: readonly DemoStore[]): string[] {
  const open = Object.groupBy(
    stores.filter(({ state }) => state === 'open'),
    ({ platform }) => platform,
  );
  const most = Object.values(open).toSorted((a = [], b = []) => b.length - a.length)[0] ?? [];
  return most
    .map(({ domain }) => domain)
    .filter((domain) => domain.endsWith('.example'))
    .slice(-unseenCount);
}

async function requestScans(
  options: FillOptions,
  domains: string[],
): Promise<{ input: string; scan_job_id: string | null }[]> {
  const response = await fetch(`${options.apiUrl}/v1/stores/enrich`, {
    method: 'POST',
    headers: { authorization: `Bearer ${options.filling.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domains, refresh: true }),
  });
  if (!response.ok) throw new LocalStackError(`The demo stores could not be scanned: ${await response.text()}`);
  return ((await response.json()) as { results: { input: string; scan_job_id: string | null }[] }).results;
}

const ended: readonly JobState[] = [JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELED];

async function awaitJobs(
  { report }: FillOptions,
  jobs: ReadonlyMap<string, string>,
  stateOf: (jobId: string) => Promise<JobState>,
): Promise<string[]> {
  const endMs = performance.now() + fillTimeoutMs;
  const waiting = new Map(jobs);
  const succeeded: string[] = [];
  let reportedAtMs = performance.now();
  while (waiting.size > 0) {
    for (const [domain, jobId] of [...waiting]) {
      const state = await stateOf(jobId);
      if (!ended.includes(state)) continue;
      waiting.delete(domain);
      if (state === JobState.SUCCEEDED) succeeded.push(domain);
    }
    if (waiting.size === 0) break;
    if (performance.now() > endMs) {
      report(`${waiting.size} scans were not done after ${fillTimeoutMs / 1_000} s; they go on in the background`);
      break;
    }
    if (performance.now() - reportedAtMs > 2_000) {
      report(`scanned ${jobs.size - waiting.size} of ${jobs.size} demo stores`);
      reportedAtMs = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return succeeded.sort();
}
