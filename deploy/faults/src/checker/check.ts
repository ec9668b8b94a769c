import type { Customer, Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Scenario } from '../faults/scenario.ts';
import { poll } from '../wait.ts';
import { compareAnswers, compareBilling, usageByKey } from './billing.ts';
import type { Databases } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import {
  admittedPerMinute,
  checkAdmission,
  checkRecovery,
  checkReplies,
  checkResolved,
  checkRevocation,
  recoveryTookMs,
  revocationTookMs,
  slowestReplyMs,
  type Timeline,
} from './timeline.ts';
import { compareUsage } from './usage.ts';

/** The promises of the table, each with what broke it; empty lists are what one wants to see. */
export type Findings = Record<string, string[]>;
export type Figures = Record<string, number>;

export interface CheckOptions {
  scenario: Scenario;
  operations: readonly Operation[];
  customers: Customers;
  timeline: Timeline;
  databases: Databases;
  gatewayUrl: string;
  /** Leaves out the bounds of time, which a busy machine breaks by itself. */
  isShort: boolean;
}

/** Kafka drains and usage follows within this time of the end of the fault or of the load, whichever is later. */
const drainBoundMs = 60_000;
/** A lost lease is 30 s old before the scan is done again, politely. */
const jobsBoundMs = 240_000;

export async function check(options: CheckOptions): Promise<{ findings: Findings; figures: Figures }> {
  const { scenario, operations, customers, timeline, databases, gatewayUrl } = options;
  const { main, tight, limited } = customers;
  const startMs = performance.now();

  const reconciled = await untilEmpty(drainBoundMs, async () => {
    const problems: string[] = [];
    for (const customer of [main, tight]) {
      const charges = await databases.charges(customer.workspaceId);
      const mine = operations.filter((operation) => operation.workspaceId === customer.workspaceId);
      problems.push(...compareBilling(mine, charges));
      problems.push(...(await compareUsage(gatewayUrl, customer, usageByKey(charges))));
    }
    return problems;
  });
  const drainedMs = performance.now() - startMs;

  const jobs = await untilEmpty(jobsBoundMs, async () => {
    const records = await databases.jobs(main.workspaceId);
    return [...compareJobs(operations, records), ...compareScans(await billedLive(databases, main), records)];
  });
  const repeated = await databases.repeatedSequences();

  const findings: Findings = {
    'billed = ledger = usage': reconciled,
    'one execution per key': [
      ...compareAnswers(operations, { areKept: !scenario.isRedisLost }),
      ...checkResolved(operations),
    ],
    'returned job ↔ one job, in the end terminal': jobs,
    'one merge per scan': repeated > 0 ? [`${repeated} sequences of domains were merged twice`] : [],
    'no accept > 60 s after revocation': checkRevocation(operations, timeline),
    'admitted ≤ limit': checkAdmission(operations, timeline, {
      rpm: limited.rpm,
      isRedisLost: scenario.isRedisLost ?? false,
    }),
    ...(!options.isShort && {
      'reply ≤ 10.5 s': checkReplies(operations, timeline),
      'recovers alone ≤ 15 s': checkRecovery(operations, timeline),
    }),
    [scenario.expected]: scenario.check?.(operations, timeline) ?? [],
  };
  return { findings, figures: await figuresOf(options, drainedMs) };
}

async function figuresOf(options: CheckOptions, drainedMs: number): Promise<Figures> {
  const { operations, customers, timeline, databases } = options;
  const charges = await databases.charges(customers.main.workspaceId);
  const attempts = operations.flatMap((operation) => operation.attempts);
  const outcomes = (wanted: string) => attempts.filter(({ outcome }) => outcome === wanted).length;
  return {
    requests: attempts.length,
    ok: outcomes('ok'),
    unanswered: outcomes('unknown'),
    replayed: attempts.filter(({ replayed }) => replayed).length,
    'charges counted': charges.filter(({ counted }) => counted > 0).length,
    jobs: new Set(attempts.flatMap(({ jobs }) => jobs.map(({ id }) => id))).size,
    'slowest answer, s': slowestReplyMs(operations, timeline) / 1_000,
    'recovered after, s': recoveryTookMs(operations, timeline) / 1_000,
    'drained after, s': drainedMs / 1_000,
    'revoked key last accepted after, s': Number.isFinite(timeline.revokedMs)
      ? revocationTookMs(operations, timeline) / 1_000
      : 0,
    'most admitted per minute': Math.max(0, ...admittedPerMinute(operations, timeline).values()),
  };
}

async function billedLive(databases: Databases, customer: Customer): Promise<number> {
  const charges = await databases.charges(customer.workspaceId);
  return charges.reduce((sum, { units }) => sum + units.lookupLive, 0);
}

/** Asks until nothing is wrong any more; what is still wrong at the end of the time. */
async function untilEmpty(timeoutMs: number, ask: () => Promise<string[]>): Promise<string[]> {
  let problems: string[] = ['nothing could be read'];
  await poll(
    async () => {
      problems = await ask().catch((error: Error) => [error.message]);
      return problems.length === 0 || undefined;
    },
    { timeoutMs, everyMs: 500 },
  );
  return problems;
}
