import { setTimeout as sleep } from 'node:timers/promises';
import { loadCorpus } from './corpus.ts';
import { addStores, callApi, createGroup } from './list-calls.ts';
import type { LoadResult } from './load.ts';
import { type Memory, type MemorySample, memoryAt, residentMemory } from './memory.ts';
import { lookUps } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';

/** Goals: the time of a job with `jobStores` stores, and the p99 of GET beside a job divided by its p99 alone. */
export const jobGoals = { seconds: 60, p99: 1.5 };

export interface JobsResult {
  /** The durations of the jobs, each beside look-ups. */
  jobs: { stores: number; seconds: number }[];
  /** One result of each round. */
  alone: LoadResult[];
  beside: LoadResult[];
  /** The memory of subscriptions after a tenth of the stores of a large job, and at its end. */
  large: { stores: number; seconds: number; first: Memory; last: Memory };
}

const lookUpsPerSecond = 50;
const connections = 32;
const pollMs = 500;
const maxJobMs = 1_200_000;
const firstShare = 0.1;

/**
 * Measures enrichments of lists, and look-ups of single stores alone and beside an enrichment in alternating rounds. All stores are in the
 * corpus, so each of them has a billed row.
 */
export async function measureJobs(bench: Bench): Promise<JobsResult> {
  const { settings, system, secret, say } = bench;
  const { jobStores, manyJobStores, rounds, neighbourSeconds, warmUpSeconds } = settings;
  say(`Loading ${manyJobStores} stores …`);
  await loadCorpus(system, manyJobStores, say);
  const list = await createGroup(bench, 'lists', 'bench');
  const largeList = await createGroup(bench, 'lists', 'bench, large');
  await addStores(bench, list, 0, jobStores);
  await addStores(bench, largeList, 0, manyJobStores);
  const headers = { authorization: `Bearer ${secret}` };
  const requests = lookUps(settings).map(({ path = '' }) => ({ path, headers }));
  const read = (seconds: number) =>
    steadyLoad({ url: system.apiUrl, pids: system.pids, connections, seconds, perSecond: lookUpsPerSecond, requests });

  await read(warmUpSeconds);
  const result: Pick<JobsResult, 'jobs' | 'alone' | 'beside'> = { jobs: [], alone: [], beside: [] };
  for (let round = 1; round <= rounds; round++) {
    say(`Look-ups alone and beside a job of ${jobStores} stores, round ${round} of ${rounds} …`);
    result.alone.push(await read(neighbourSeconds));
    const job = runJob(bench, list);
    result.beside.push(await read(neighbourSeconds));
    result.jobs.push({ stores: jobStores, seconds: await job });
  }

  say(`A job of ${manyJobStores} stores …`);
  const samples: MemorySample[] = [];
  let firstMs = Number.POSITIVE_INFINITY;
  const { subscriptions = 0 } = system.pids;
  const startMs = performance.now();
  const seconds = await runJob(bench, largeList, (done) => {
    const atMs = performance.now() - startMs;
    if (done >= manyJobStores * firstShare) firstMs = Math.min(firstMs, atMs);
    samples.push({ atMs, memory: residentMemory({ subscriptions }) });
  });
  const last = memoryAt(samples, samples.at(-1)?.atMs ?? 0);
  for (const each of [list, largeList]) await callApi(bench, 'DELETE', each);
  return { ...result, large: { stores: manyJobStores, seconds, first: memoryAt(samples, firstMs), last } };
}

/** Starts the enrichment of a list. Resolves to its duration in seconds when it has succeeded. */
async function runJob(bench: Bench, list: string, onProgress: (done: number) => void = () => {}): Promise<number> {
  const startMs = performance.now();
  const { body } = await callApi<{ id: string }>(bench, 'POST', `${list}/enrich`, {});
  for (;;) {
    const { body: job } = await callApi<{ state: string; progress: { done: number } }>(
      bench,
      'GET',
      `/v1/jobs/${body.id}`,
    );
    onProgress(job.progress.done);
    const ms = performance.now() - startMs;
    if (job.state === 'succeeded') return ms / 1_000;
    if (!['queued', 'running'].includes(job.state) || ms > maxJobMs)
      throw new Error(`a job is ${job.state} after ${ms} ms`);
    await sleep(pollMs);
  }
}
