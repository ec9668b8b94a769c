import { setTimeout as delay } from 'node:timers/promises';
import type { GrpcClient } from '@shopscope/grpc';
import { JobState, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { SetupConfig } from './config.ts';
import { actor, ensureWorkspace, type Keys } from './workspaces.ts';

export interface FillOptions {
  config: Pick<SetupConfig, 'API_URL' | 'DEMO_STORES_URL' | 'SETUP_SCAN_TIMEOUT_MS' | 'SETUP_PLAN'>;
  keys: Keys;
  scheduler: Pick<GrpcClient<typeof ScanSchedulerServiceService>, 'getJob'>;
  nowMs(): number;
}

const batchMax = 100;
const keyLifeMs = 60 * 60 * 1_000;
const requestTimeoutMs = 15_000;
const attemptsMax = 5;
const pauseMs = 500;
const ended: readonly JobState[] = [JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELED];

/**
 * Fills the corpus as a customer would: enrich with refresh for every demo store, then a wait for the jobs. The workspace
 * is the corpus's own, so that no customer's allowance pays; the key expires within an hour and is revoked at the end.
 * Stores with a fresh profile are not scanned again. Resolves to the number of stores and of scans that ended.
 */
export async function fillDemoCorpus(options: FillOptions): Promise<{ stores: number; scans: number }> {
  const { config, keys, scheduler } = options;
  const endMs = options.nowMs() + config.SETUP_SCAN_TIMEOUT_MS;
  const domains = await demoDomains(`${config.DEMO_STORES_URL}/__control`);
  const { id: workspaceId } = await ensureWorkspace(keys, 'Demo corpus', config.SETUP_PLAN);
  const { key, secret } = await keys.createKey({
    workspaceId,
    label: 'setup',
    preset: 'full',
    scopes: [],
    expiresAtMs: options.nowMs() + keyLifeMs,
    actor,
  });
  try {
    const waiting = new Set<string>();
    for (let start = 0; start < domains.length; start += batchMax) {
      const batch = domains.slice(start, start + batchMax);
      for (const jobId of await requestScans(config.API_URL, secret, batch)) waiting.add(jobId);
    }
    const scans = waiting.size;
    while (waiting.size > 0) {
      for (const jobId of [...waiting]) {
        const { job } = await scheduler.getJob({ workspaceId, jobId });
        if (job && ended.includes(job.state)) waiting.delete(jobId);
      }
      if (waiting.size === 0) break;
      if (options.nowMs() > endMs) {
        throw new Error(
          `${waiting.size} of ${scans} scans did not end within SETUP_SCAN_TIMEOUT_MS (${config.SETUP_SCAN_TIMEOUT_MS} ms)`,
        );
      }
      await delay(pauseMs);
    }
    return { stores: domains.length, scans };
  } finally {
    if (key) await keys.revokeKey({ workspaceId, keyId: key.id, actor });
  }
}

async function demoDomains(url: string): Promise<string[]> {
  const { stores } = (await (await request(url, {})).json()) as { stores: { domain: string }[] };
  return stores.map(({ domain }) => domain);
}

/** Ids of the jobs that were queued or had been. */
async function requestScans(apiUrl: string, secret: string, domains: string[]): Promise<string[]> {
  const answer = await request(`${apiUrl}/v1/stores/enrich`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domains, refresh: true }),
  });
  const { results } = (await answer.json()) as { results: { scan_job_id: string | null }[] };
  return results.flatMap(({ scan_job_id }) => scan_job_id ?? []);
}

/** A gateway that has just started answers 503 for a moment; such an answer is free. */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
    if (response.ok) return response;
    const body = await response.text();
    if (response.status < 500 || attempt === attemptsMax) {
      throw new Error(`${url} answered ${response.status}: ${body.slice(0, 500)}`);
    }
    await delay(pauseMs * attempt);
  }
}
