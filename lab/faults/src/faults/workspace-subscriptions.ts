import { randomUUID } from 'node:crypto';
import { usageByKey } from '../checker/billing.ts';
import type { JobRecord } from '../checker/databases.ts';
import { recoveryBoundMs } from '../checker/timeline.ts';
import { compareUsage } from '../checker/usage.ts';
import { createApiClient } from '../clients/api-client.ts';
import { createStoresCustomer } from '../clients/customers.ts';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';
import { knownDomains, listOf } from './stores-workspace.ts';

interface BulkJob {
  id: string;
  state: string;
  progress: { total: number; done: number; failed: number };
  billed: { lookup_cached: number; lookup_live: number };
}

interface ResultRow {
  domain: string;
  match: string;
}

const addedAtOnce = 1_000;
/** This many jobs enrich the list one after another, until the fault is over. */
const maxJobs = 50;
const pollEveryMs = 200;
/** The pace of a watchlist is at least a day per store, so the bench brings the turns forward. */
const hurryEveryMs = 1_000;
const finishBoundMs = 120_000;
const consumedBoundMs = 60_000;

/**
 * A workspace with a list that jobs enrich, and with a watchlist whose stores are rescanned. After the fault:
 *
 * - each input of each job has one row, and the job has billed its rows;
 * - the ledger and /v1/usage have the units of the rows and of the rescans, each rescan has one unit, and each unit one rescan;
 * - the events of the workspace have no gap, and each end of a job has one event.
 */
export async function subscribe(context: FaultContext) {
  const { system, databases, billingProblems, recordProblem, recordFigure } = context;
  // The reconciliation of the run compares only the charges of its clients, so this is another workspace.
  const customer = await createStoresCustomer(system.direct.keys);
  const { workspaceId } = customer;
  const url = system.gateways[0]?.url ?? '';
  const { send, sendSuccessfully, readEvents } = createApiClient(url, customer);
  const addAll = async (group: string, domains: readonly string[]) => {
    for (let start = 0; start < domains.length; start += addedAtOnce)
      await sendSuccessfully('POST', `${group}/stores`, { domains: domains.slice(start, start + addedAtOnce) });
  };

  const known = await knownDomains(system.direct.demoStoresUrl);
  const inputs = listOf(known);
  const list = await sendSuccessfully('POST', '/v1/lists', { name: 'Faults' });
  await addAll(`/v1/lists/${list.id}`, inputs);
  const watched = { name: 'Faults', rescan_interval_days: 1 };
  const watchlist = await sendSuccessfully('POST', '/v1/watchlists', watched);
  await addAll(`/v1/watchlists/${watchlist.id}`, known);

  let isOver = false;
  const jobs = new Map<string, BulkJob>();
  const readJob = async (id: string) => {
    const job = (await send('GET', `/v1/jobs/${id}`)) as BulkJob | undefined;
    if (job) jobs.set(id, job);
    return job;
  };
  /** A start that got no response is sent again with its Idempotency-Key, so there is one job. */
  const startJob = async () => {
    const key = randomUUID();
    const start = async () => (await send('POST', `/v1/lists/${list.id}/enrich`, {}, key)) as BulkJob | undefined;
    const job = await poll(start, { timeoutMs: finishBoundMs, everyMs: pollEveryMs });
    if (job) jobs.set(job.id, job);
    return job;
  };
  const untilEnded = ({ id }: BulkJob) => {
    const end = async () => ((await readJob(id))?.state === 'succeeded' ? true : undefined);
    return poll(end, { timeoutMs: finishBoundMs, everyMs: pollEveryMs });
  };
  const runJobs = async () => {
    for (let n = 0; n < maxJobs && !isOver; n++) {
      const job = await startJob();
      if (!job) return recordProblem('a job was not started');
      if (!(await untilEnded(job))) return recordProblem(`job ${job.id} is ${jobs.get(job.id)?.state} at the end`);
    }
  };
  const hurryRescans = async () => {
    while (!isOver) {
      await databases.hurryRescans(workspaceId).catch(() => {});
      await sleep(hurryEveryMs);
    }
  };
  const running = Promise.all([runJobs(), hurryRescans()]);

  const requireRows = async ({ id }: BulkJob) => {
    const job = await poll(() => readJob(id), { timeoutMs: recoveryBoundMs, everyMs: pollEveryMs });
    if (!job) return recordProblem(`job ${id} was not read`);
    const { billed, progress } = job;
    const rows: ResultRow[] = [];
    let cursor = '';
    do {
      const path = `/v1/jobs/${id}/results?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const read = () => send('GET', path) as Promise<{ data: ResultRow[]; next_cursor: string | null } | undefined>;
      const page = await poll(read, { timeoutMs: recoveryBoundMs, everyMs: pollEveryMs });
      if (!page) return recordProblem(`the results of job ${id} were not read`);
      rows.push(...page.data);
      cursor = page.next_cursor ?? '';
    } while (cursor !== '' && rows.length <= inputs.length);
    const found = rows.filter(({ match }) => match === 'matched' || match === 'stale').length;
    const distinct = new Set(rows.map(({ domain }) => domain));
    if (rows.length !== inputs.length || distinct.size !== inputs.length || progress.done !== inputs.length)
      recordProblem(`job ${id} of ${inputs.length} inputs has ${rows.length} rows of ${distinct.size} domains`);
    if (found !== known.length || billed.lookup_cached !== known.length)
      billingProblems.push(`job ${id} found ${found} of ${known.length} stores and billed ${billed.lookup_cached}`);
  };

  const reconcile = async () => {
    let problems = ['the books were not read'];
    const isEqual = async () => {
      const [charges, scans] = await Promise.all([databases.charges(workspaceId), databases.jobs(workspaceId)]);
      const byId = new Map(charges.map((charge) => [charge.chargeId, charge]));
      const lookUps = charges.reduce((sum, { units }) => sum + units.lookupCached, 0);
      const rescans = charges.filter(({ units }) => (units.refreshRequested ?? 0) > 0);
      recordFigure('rescans billed', rescans.length);
      problems = [
        ...charges.filter(({ counted }) => counted > 1).map(({ chargeId }) => `charge ${chargeId} counts repeatedly`),
        ...(lookUps === jobs.size * known.length
          ? []
          : [`${jobs.size} jobs billed ${known.length} look-ups each, and the ledger has ${lookUps}`]),
        ...rescans
          .filter(
            ({ chargeId, units }) => units.refreshRequested !== 1 || !scans.some((scan) => scan.chargeId === chargeId),
          )
          .map(({ chargeId }) => `charge ${chargeId} is not for one rescan`),
        ...scans.filter(({ chargeId }) => !byId.has(chargeId)).map(({ id }) => `the rescan of job ${id} is not billed`),
        ...(await compareUsage(url, customer, usageByKey(charges))),
      ];
      return problems.length === 0 || undefined;
    };
    if (!(await poll(isEqual, { timeoutMs: consumedBoundMs, everyMs: 500 }))) billingProblems.push(...problems);
  };

  const requireEvents = async (scans: readonly JobRecord[]) => {
    const expected = [
      ...[...jobs.keys()].map((id) => `job.finished ${id}`),
      ...scans.map(({ id, state }) => `scan.${state === 'succeeded' ? 'completed' : state} ${id}`),
    ].sort();
    let problem = 'the events were not read';
    const areComplete = async () => {
      const events = await readEvents();
      recordFigure('events read', events.length);
      const gap = events.findIndex(({ sequence }, at) => sequence !== at + 1);
      const ends = events
        .filter(({ type }) => /^(?:job|scan)\./.test(type))
        .map(({ type, related }) => `${type} ${related?.id}`);
      problem =
        gap >= 0
          ? `the event at place ${gap + 1} has the sequence ${events[gap]?.sequence}`
          : `${expected.length} jobs have ended, and ${ends.length} events tell it`;
      return (gap < 0 && ends.sort().join() === expected.join()) || undefined;
    };
    if (!(await poll(areComplete, { timeoutMs: consumedBoundMs, everyMs: 500 }))) recordProblem(problem);
  };

  return {
    /** Waits until a job is in the middle of its list. Resolves to whether there is one. */
    async isInProgress(): Promise<boolean> {
      const inTheMiddle = async () => {
        const job = [...jobs.values()].at(-1);
        const { total, done } = (job && (await readJob(job.id))?.progress) ?? { total: 0, done: 0 };
        return (done > 0 && done < total) || undefined;
      };
      return (await poll(inTheMiddle, { timeoutMs: recoveryBoundMs, everyMs: 20 })) ?? false;
    },

    /** Ends the work after the fault, and compares what it has left. */
    async finish(): Promise<void> {
      isOver = true;
      await running;
      const pause = () => send('PATCH', `/v1/watchlists/${watchlist.id}`, { state: 'paused' });
      if (!(await poll(pause, { timeoutMs: recoveryBoundMs, everyMs: pollEveryMs })))
        recordProblem('the watchlist was not paused');
      const ended = async () => {
        const scans = await databases.jobs(workspaceId);
        const areEnded = scans.every(({ state }) => state === 'succeeded' || state === 'failed');
        return areEnded && !(await databases.hasUnfinishedRescans(workspaceId)) ? scans : undefined;
      };
      const scans = await poll(ended, { timeoutMs: finishBoundMs, everyMs: 500 });
      if (!scans) return recordProblem(`a rescan had not ended ${finishBoundMs / 1_000} s after the fault`);
      for (const job of jobs.values()) await requireRows(job);
      await reconcile();
      await requireEvents(scans);
    },
  };
}
