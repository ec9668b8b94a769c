import { poll } from '../wait.ts';
import { checkAdmission, isAdmissionShown } from './admission.ts';
import { compareAnswers } from './billing.ts';
import { type BooksOptions, compareAllowance, compareBooks, compareWork } from './books.ts';
import { type Figures, type FiguresOptions, figuresOf } from './figures.ts';
import { exercisedOnly, owedBy } from './owed.ts';
import { type Findings, promises } from './promises.ts';
import { checkRefusedAtLast } from './refused-at-last.ts';
import { checkResumption, type InterruptedScan, lostLeases } from './resumption.ts';
import { checkPush, checkRevocation, isPushShown, isRevocationShown } from './revocation.ts';
import type { AllowanceSamples } from './sampler.ts';
import { checkRecovery, checkRefusals, checkReplies, checkResolved, isSharp } from './timeline.ts';

export interface CheckOptions extends BooksOptions, FiguresOptions {
  allowance: AllowanceSamples;
  /** Scans that the fault met under way. */
  interrupted: readonly InterruptedScan[];
  /** What the fault itself found, and its figures. */
  problems: readonly string[];
  noted: Figures;
}

/** Kafka drains and usage follows within this time of the end of the fault. */
const drainBoundMs = 60_000;
/** What was asked for at the end of a load that went on for long has this time at least. */
const drainLeastMs = 10_000;
/** A lost lease is 30 s old before the scan is done again, politely. */
const jobsBoundMs = 240_000;
/** No scanner is harmed in the short form; what is wrong is told before its test is out of time. */
const shortJobsBoundMs = 120_000;
const ledgerBoundMs = 10_000;

export async function check(options: CheckOptions): Promise<{ findings: Findings; figures: Figures }> {
  const { scenario, operations, timeline, databases, isShort, interrupted, allowance, problems, noted } = options;
  const { endedMs, healedMs } = timeline;
  const drainUntilMs = Math.max(healedMs + drainBoundMs, endedMs + (isShort ? drainBoundMs : drainLeastMs));
  const reconciled = await untilEmpty(drainUntilMs - performance.now(), () => compareBooks(options));
  const drainedMs = performance.now() - healedMs;
  const sold = await untilEmpty(ledgerBoundMs, () => compareAllowance(options));
  const jobs = await untilEmpty(isShort ? shortJobsBoundMs : jobsBoundMs, () => compareWork(options));
  const ids = interrupted.map(({ id }) => id);
  const resumed = await untilEmpty(jobsBoundMs, async () => checkResumption(interrupted, await databases.scans(ids)));
  const repeated = await databases.repeatedSequences();

  const timed = timedFindings(options);
  const isMeasured = !isShort && isSharp(timeline);
  const expected = [...problems, ...resumed, ...(isMeasured || !scenario.isTimed ? expectation(options) : [])];
  const saysMore = scenario.check !== undefined || scenario.exercises !== undefined;
  const isExpectationShown = !isShort && saysMore && (isMeasured || !scenario.isTimed);
  const found: Findings = {
    [promises.billing]: reconciled,
    [promises.executions]: [
      ...compareAnswers(operations, { areKept: !scenario.isRedisLost }),
      ...checkResolved(operations),
    ],
    [promises.jobs]: jobs,
    [promises.merges]: repeated > 0 ? [`${repeated} sequences of domains were merged twice`] : [],
    [promises.allowance]: [...sold, ...allowance.problems],
    [promises.refusals]: checkRefusals(operations, timeline),
    ...admissionFindings(options),
    ...(isMeasured && timed),
    ...(isShort && (await atLast(options))),
    ...((isExpectationShown || problems.length > 0) && { [scenario.expected]: expected }),
  };
  const figures: Figures = {
    ...(await figuresOf(options, { drainedMs })),
    'allowance samples': allowance.samples,
    'most taken of the allowance': allowance.most,
    ...(ids.length > 0 && { 'leases lost': lostLeases(interrupted, await databases.scans(ids)) }),
    ...noted,
  };
  const findings = exercisedOnly(found, figures, scenario);
  const missed = isShort ? 0 : owedBy(scenario).filter((promise) => !(promise in findings)).length;
  return { findings, figures: { ...figures, 'promises not measured': missed } };
}

/** What was not asked for often enough was not refused either. */
function admissionFindings({ scenario, operations, timeline, customers }: CheckOptions): Findings {
  const limit = { rpm: customers.limited.rpm, isRedisLost: scenario.isRedisLost ?? false };
  const admission = checkAdmission(operations, timeline, limit);
  const isShown = admission.length > 0 || isAdmissionShown(operations, timeline, limit);
  return isShown ? { [promises.admission]: admission } : {};
}

/** What can be said only by a bench that was not held up itself. */
function timedFindings({ scenario, operations, timeline }: CheckOptions): Findings {
  return {
    [promises.replies]: checkReplies(operations, timeline),
    [promises.recovery]: checkRecovery(operations, timeline),
    // Where the run ends too soon, a figure says how long it went well.
    ...(isRevocationShown(operations, timeline) && { [promises.revocation]: checkRevocation(operations, timeline) }),
    ...(!scenario.isPushHarmed &&
      isPushShown(operations, timeline) && { [promises.push]: checkPush(operations, timeline) }),
  };
}

/** The short form is over before the cache is: it asks until the key that every gateway knew is refused. */
async function atLast({ gatewayUrls, customers, timeline, operations }: CheckOptions): Promise<Findings> {
  if (!timeline.isKeyKnown) return {};
  const late = checkRevocation(operations, timeline);
  const never = await checkRefusedAtLast(gatewayUrls, customers.revoked, timeline.revokedMs);
  return { [promises.revocation]: [...late, ...never] };
}

const expectation = ({ scenario, operations, timeline }: CheckOptions): string[] =>
  scenario.check?.(operations, timeline) ?? [];

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
