import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Scenario } from '../faults/scenario.ts';
import { poll } from '../wait.ts';
import { checkAdmission, isAdmissionShown } from './admission.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import { compareAnswers, compareBilling, usageByKey } from './billing.ts';
import type { Databases } from './databases.ts';
import { type Figures, figuresOf } from './figures.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { promises } from './promises.ts';
import { checkPush, checkRevocation, isPushShown, isRevocationShown } from './revocation.ts';
import { checkRecovery, checkRefusals, checkReplies, checkResolved, isSharp, type Timeline } from './timeline.ts';
import { compareUsage } from './usage.ts';

/** The promises of the table, each with what broke it; empty lists are what one wants to see. */
export type Findings = Record<string, string[]>;

export interface CheckOptions {
  scenario: Scenario;
  operations: readonly Operation[];
  customers: Customers;
  timeline: Timeline;
  databases: Databases;
  gatewayUrl: string;
  /** Leaves out what a busy machine breaks by itself: bounds of time, and scans that are too late for their stores. */
  isShort: boolean;
}

/** Kafka drains and usage follows within this time of the end of the fault. */
const drainBoundMs = 60_000;
/** What was asked for at the end of the load has this time at least. */
const drainLeastMs = 30_000;
/** A lost lease is 30 s old before the scan is done again, politely. */
const jobsBoundMs = 240_000;
const ledgerBoundMs = 10_000;

export async function check(options: CheckOptions): Promise<{ findings: Findings; figures: Figures }> {
  const { scenario, operations, customers, timeline, databases, isShort } = options;
  const { main, tight, limited } = customers;

  const { endedMs, healedMs } = timeline;
  const drainUntilMs = Math.max(healedMs + drainBoundMs, endedMs + (isShort ? drainBoundMs : drainLeastMs));
  const reconciled = await untilEmpty(drainUntilMs - performance.now(), () => compareBooks(options));
  const drainedMs = performance.now() - healedMs;
  const allowance = await untilEmpty(ledgerBoundMs, async () => [
    ...checkAllowance(operations, await databases.charges(tight.workspaceId), tight.included),
    ...(exhaustedTimes(operations) === 0 ? ['nobody was told that the allowance is exhausted'] : []),
  ]);
  const jobs = await untilEmpty(jobsBoundMs, async () => {
    const records = await databases.jobs(main.workspaceId);
    const allSucceed = !isShort && !scenario.mayExhaustAttempts;
    return [
      ...compareJobs(operations, records, { allSucceed }),
      ...compareScans(operations, await databases.charges(main.workspaceId), records),
    ];
  });
  const repeated = await databases.repeatedSequences();

  const limit = { rpm: limited.rpm, isRedisLost: scenario.isRedisLost ?? false };
  const admission = checkAdmission(operations, timeline, limit);
  const timed = timedFindings(options);
  const isMeasured = !isShort && isSharp(timeline);
  const findings: Findings = {
    [promises.billing]: reconciled,
    [promises.executions]: [
      ...compareAnswers(operations, { areKept: !scenario.isRedisLost }),
      ...checkResolved(operations),
    ],
    [promises.jobs]: jobs,
    [promises.merges]: repeated > 0 ? [`${repeated} sequences of domains were merged twice`] : [],
    [promises.allowance]: allowance,
    [promises.refusals]: checkRefusals(operations, timeline),
    // What was not asked for often enough was not refused either.
    ...((admission.length > 0 || isAdmissionShown(operations, timeline, limit)) && {
      [promises.admission]: admission,
    }),
    ...(isMeasured && timed),
    // Whether others go on as if nothing were the matter depends on time as well, on a busy machine.
    ...(!isShort && !scenario.isTimed && expectation(options)),
  };
  const missed = isShort || isMeasured ? 0 : Object.keys(timed).length;
  const figures = await figuresOf(options, { drainedMs });
  return { findings, figures: { ...figures, 'promises not measured': missed } };
}

/** Billed, ledger and usage of the customers that are billed. */
async function compareBooks({ operations, customers, databases, gatewayUrl }: CheckOptions): Promise<string[]> {
  const problems: string[] = [];
  for (const customer of [customers.main, customers.tight]) {
    const charges = await databases.charges(customer.workspaceId);
    const mine = operations.filter((operation) => operation.workspaceId === customer.workspaceId);
    problems.push(...compareBilling(mine, charges));
    problems.push(...(await compareUsage(gatewayUrl, customer, usageByKey(charges))));
  }
  return problems;
}

/** What can be said only by a bench that was not held up itself. */
function timedFindings(options: CheckOptions): Findings {
  const { scenario, operations, timeline } = options;
  return {
    [promises.replies]: checkReplies(operations, timeline),
    [promises.recovery]: checkRecovery(operations, timeline),
    // Where the run ends too soon, a figure says how long it went well.
    ...(isRevocationShown(operations, timeline) && { [promises.revocation]: checkRevocation(operations, timeline) }),
    ...(!scenario.isPushHarmed &&
      isPushShown(operations, timeline) && { [promises.push]: checkPush(operations, timeline) }),
    ...(scenario.isTimed && expectation(options)),
  };
}

const expectation = ({ scenario, operations, timeline }: CheckOptions): Findings => ({
  [scenario.expected]: scenario.check?.(operations, timeline) ?? [],
});

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
