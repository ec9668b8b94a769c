import { poll } from '../wait.ts';
import { checkAdmission, isAdmissionMeasured } from './admission.ts';
import { findDifferingRetries } from './differing-retries.ts';
import { checkEventuallyRefused } from './eventually-refused.ts';
import { type Figures, type FiguresOptions, figuresOf } from './figures.ts';
import { refusedTimes } from './lending.ts';
import { type Findings, promises } from './promises.ts';
import {
  notUsed,
  type ReconciliationOptions,
  reconcileAllowance,
  reconcileBilling,
  reconcileJobs,
  reconcileRefusals,
  reconcileSold,
  soldOf,
  stillLent,
} from './reconciliation.ts';
import { requiredChecksOf, withoutVacuousPasses } from './required-checks.ts';
import { checkResumption, lostLeases, resumable, type ScanInProgress } from './resumption.ts';
import { checkPush, checkRevocation, isPushMeasured, isRevocationMeasured } from './revocation.ts';
import type { AllowanceSamples } from './sampler.ts';
import { checkRecovery, checkRefusals, checkReplies, checkResolved, isTimingReliable } from './timeline.ts';

export interface CheckOptions extends ReconciliationOptions, FiguresOptions {
  allowance: AllowanceSamples;
  /** The scans that were in progress at the fault. */
  scansInProgress: readonly ScanInProgress[];
  /** The problems that the scenario itself recorded. */
  problems: readonly string[];
  billingProblems: readonly string[];
  scenarioFigures: Figures;
  /** The number of rate-limit decisions that the gateways made without Redis. */
  localDecisions: number;
  /** Sells what is left of the small allowances. Resolves to false if one of them was not exhausted. */
  sellOut(): Promise<boolean>;
}

/** Consumers have caught up, and usage is complete, within this time after the end of the fault. */
const drainBoundMs = 60_000;
/** After the end of the load, consumers have at least this time. */
const drainLeastMs = 10_000;
/** A lost lease expires after 30 s, and the next visit of the store begins after a pause. */
const jobsBoundMs = 240_000;
/** The short form has no fault of a scanner. The bound is below the test's time limit, so that a problem is reported. */
const shortJobsBoundMs = 120_000;
const ledgerBoundMs = 10_000;
/** The units of processes that died return within this time after the end of the fault. */
const returnBoundMs = 90_000;
/** A reservation without an event is returned 60 s after it was made, and a little later on a busy machine. */
const sweepBoundMs = 100_000;

export async function check(options: CheckOptions): Promise<{ findings: Findings; figures: Figures }> {
  const { scenario, operations, timeline, databases, isShort } = options;
  const { scansInProgress, allowance, problems, billingProblems, scenarioFigures } = options;
  const { endedMs, healedMs } = timeline;
  const drainUntilMs = Math.max(healedMs + drainBoundMs, endedMs + (isShort ? drainBoundMs : drainLeastMs));
  const reconciled = await untilEmpty(drainUntilMs - performance.now(), () => reconcileBilling(options));
  const drainedMs = performance.now() - healedMs;
  const lending = await lendingFindings(options);
  // The last units were sold after the first comparison.
  const reconciledAgain = await untilEmpty(ledgerBoundMs, () => reconcileBilling(options));
  const allowanceProblems = await untilEmpty(ledgerBoundMs, () => reconcileAllowance(options));
  const jobs = await untilEmpty(isShort ? shortJobsBoundMs : jobsBoundMs, () => reconcileJobs(options));
  const ids = scansInProgress.map(({ id }) => id);
  const resumed = await untilEmpty(jobsBoundMs, async () =>
    checkResumption(scansInProgress, await databases.scans(ids)),
  );
  const repeated = await databases.repeatedSequences();

  const timed = timedFindings(options);
  const isMeasured = !isShort && isTimingReliable(timeline);
  const expected = [...problems, ...resumed, ...(isMeasured || !scenario.assertsTiming ? expectation(options) : [])];
  const hasExpectation = scenario.check !== undefined || scenario.requiredFigures !== undefined;
  const isExpectationShown = !isShort && hasExpectation && (isMeasured || !scenario.assertsTiming);
  const found: Findings = {
    [promises.billing]: [...new Set([...reconciled, ...reconciledAgain]), ...billingProblems],
    ...lending.findings,
    [promises.executions]: [
      ...findDifferingRetries(operations, { responsesStored: !scenario.losesRedisState }),
      ...checkResolved(operations),
    ],
    [promises.jobs]: jobs,
    [promises.merges]: repeated > 0 ? [`${repeated} sequences of domains were merged twice`] : [],
    [promises.allowance]: [...allowanceProblems, ...allowance.problems],
    [promises.refusals]: checkRefusals(operations, timeline),
    ...admissionFindings(options),
    ...(isMeasured && timed),
    ...(isShort && (await eventualRefusal(options))),
    ...((isExpectationShown || problems.length > 0) && { [scenario.expected]: expected }),
  };
  const scans = await databases.scans(ids);
  const figures: Figures = {
    ...(await figuresOf(options, { drainedMs })),
    'allowance samples': allowance.samples,
    'most taken from the allowance': allowance.most,
    'most units stranded': allowance.mostStranded,
    ...lending.figures,
    'decided without Redis': options.localDecisions,
    ...scenarioFigures,
    ...(ids.length > 0 && {
      'scans interrupted': resumable(scansInProgress, scans),
      'leases lost': lostLeases(scansInProgress, scans),
    }),
  };
  const findings = withoutVacuousPasses(found, figures, scenario);
  const missed = isShort ? 0 : requiredChecksOf(scenario).filter((promise) => !(promise in findings)).length;
  return { findings, figures: { ...figures, 'promises not measured': missed } };
}

/**
 * Checks the promises about leases. First it waits until the units of processes that died have returned. Then it sells what is left. The
 * short form does not wait for the return of units.
 */
async function lendingFindings(options: CheckOptions): Promise<{ findings: Findings; figures: Figures }> {
  const { timeline, allowance, isShort, sellOut } = options;
  const { healedMs, endedMs, wallOffsetMs } = timeline;
  let notReturned: string[] = [];
  let notBack: string[] = [];
  let returnedMs = 0;
  if (!isShort) {
    const lent = () => stillLent(options, healedMs + wallOffsetMs);
    notReturned = await untilEmpty(healedMs + returnBoundMs - performance.now(), lent);
    returnedMs = performance.now() - healedMs;
    notBack = await untilEmpty(endedMs + sweepBoundMs - performance.now(), () => notUsed(options));
  }
  const isSoldOut = await sellOut();
  const unsold = isSoldOut ? [] : ['not every small allowance was exhausted'];
  const sold = isShort ? [] : await untilEmpty(ledgerBoundMs, () => reconcileSold(options));
  const premature = await untilEmpty(ledgerBoundMs, () => reconcileRefusals(options, allowance.lent));
  const seen = await soldOf(options);
  const refused = refusedTimes(seen.flatMap(({ operations }) => operations));
  return {
    findings: {
      [promises.lending]: premature,
      ...(!isShort && { [promises.sold]: [...notBack, ...unsold, ...sold], [promises.returned]: notReturned }),
    },
    figures: {
      'lent units back after, s': returnedMs / 1_000,
      'workspaces sold out': isSoldOut ? seen.length : 0,
      'scarce refused': refused.exhausted,
      'refused while lent': refused.lent,
      'charges of leases': seen.flatMap(({ charges }) => charges).filter(({ chargeId }) => isOfLease(chargeId)).length,
    },
  };
}

/** The id of a charge that a lease paid for begins with the id of the lease. */
const isOfLease = (chargeId: string) => chargeId.startsWith('lse_');

/** With too few requests, the limit has nothing to refuse, and the promise counts as not measured. */
function admissionFindings(options: CheckOptions): Findings {
  const { scenario, operations, timeline, customers, localDecisions } = options;
  const { losesRedisState = false } = scenario;
  const limit = { rpm: customers.rateLimited.rpm, losesRedisState, localDecisions };
  const admission = checkAdmission(operations, timeline, limit);
  const isShown = admission.length > 0 || isAdmissionMeasured(operations, timeline, limit);
  return isShown ? { [promises.admission]: admission } : {};
}

/** Returns the findings that are valid only if the bench's own event loop was not delayed. */
function timedFindings({ scenario, operations, timeline }: CheckOptions): Findings {
  return {
    [promises.replies]: checkReplies(operations, timeline),
    [promises.recovery]: checkRecovery(operations, timeline),
    // If the run ends too early to measure the revocation, the figures still have the duration of the load after it.
    ...(isRevocationMeasured(operations, timeline) && { [promises.revocation]: checkRevocation(operations, timeline) }),
    ...(!scenario.breaksRevocationPush &&
      isPushMeasured(operations, timeline) && { [promises.push]: checkPush(operations, timeline) }),
  };
}

/** The load of the short form ends before cached keys expire. This check therefore sends requests until every gateway refuses the revoked key. */
async function eventualRefusal({ gatewayUrls, customers, timeline, operations }: CheckOptions): Promise<Findings> {
  if (!timeline.isKeyCached) return {};
  const late = checkRevocation(operations, timeline);
  const never = await checkEventuallyRefused(gatewayUrls, customers.revoked, timeline.revokedMs);
  return { [promises.revocation]: [...late, ...never] };
}

const expectation = ({ scenario, operations, timeline }: CheckOptions): string[] =>
  scenario.check?.(operations, timeline) ?? [];

/** Repeats a check until it finds no problem or the time is over. Resolves to the problems of the last check. */
async function untilEmpty(timeoutMs: number, ask: () => Promise<string[]>): Promise<string[]> {
  let problems: string[] = ['the check did not complete'];
  await poll(
    async () => {
      problems = await ask().catch((error: Error) => [error.message]);
      return problems.length === 0 || undefined;
    },
    { timeoutMs, everyMs: 500 },
  );
  return problems;
}
