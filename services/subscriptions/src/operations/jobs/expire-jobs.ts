import { dayMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { endingOf, endingStates, maxEndingMs, maxStandstillDays, workingStates } from '../../domain/bulk-job.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginEnd, endJob } from './end-job.ts';

const maxJobs = 20;
/** The steps of a job whose results one run deletes. The next run continues. */
const maxSteps = 20;
const timeoutMs = 10_000;

/** Deletes jobs that have expired, with their results, in batches. Concurrency: each deletion is idempotent. */
export async function deleteExpiredJobs<E extends Environment>(deps: Dependencies<E>): Promise<void> {
  const { bulkJobs, jobSteps, jobResults, jobParts, clock } = deps;
  for (const ref of await bulkJobs.listExpired(new Date(clock.now()), maxJobs, timeoutMs)) {
    const steps = await jobSteps.listSome(ref, maxSteps, timeoutMs);
    await jobResults.remove(ref, steps, { maxTimeMS: timeoutMs });
    await jobParts.remove(ref, steps, timeoutMs);
    await jobSteps.delete(ref, steps, timeoutMs);
    if (steps.length === maxSteps) continue;
    await jobParts.removeLists(ref, timeoutMs);
    await bulkJobs.delete(ref, timeoutMs);
  }
}

const couldNotContinue = endingOf({ type: 'enrich', refusal: null }, 'failing');

/**
 * Ends jobs that could not continue for {@link maxStandstillDays}. Results that are shown stay. Stored steps first ask for their charges, for
 * at most {@link maxEndingMs}.
 */
export async function failStandingJobs<E extends Environment>(deps: Dependencies<E>): Promise<void> {
  const { bulkJobs, transact, clock } = deps;
  const before = (ms: number) => new Date(clock.now() - ms);
  for (const ref of await bulkJobs.listStanding(workingStates, before(maxStandstillDays * dayMs), maxJobs, timeoutMs)) {
    await transact((tx) => beginEnd(deps, ref, 'failing', tx));
  }
  for (const ref of await bulkJobs.listStanding(endingStates, before(maxEndingMs), maxJobs, timeoutMs)) {
    await transact((tx) => endJob(deps, ref, couldNotContinue, tx));
  }
}

export async function measureJobs<E extends Environment>(deps: Dependencies<E>): Promise<void> {
  const { bulkJobs, metrics, clock } = deps;
  const { active, oldestProgressAt } = await bulkJobs.activity(timeoutMs);
  const ageMs = oldestProgressAt ? Math.max(0, clock.now() - oldestProgressAt.getTime()) : 0;
  metrics.jobActivity(bulkJobs.environment, { active, oldestProgressSeconds: ageMs / 1_000 });
}
