import { attemptsOf, failuresOf, type Timeline } from '../checker/timeline.ts';
import type { Operation } from '../clients/history.ts';

type Check = (operations: readonly Operation[], timeline: Timeline) => string[];

export const all =
  (...checks: Check[]): Check =>
  (operations, timeline) =>
    checks.flatMap((check) => check(operations, timeline));

/** The effect of a fault may end this long before `healedMs`. */
const healingMs = 1_000;

const isDuring = ({ injectionStartMs, healedMs }: Timeline) => {
  return ({ startMs }: { startMs: number }) => startMs >= injectionStartMs && startMs < healedMs;
};
const isFaultActive = ({ faultStartMs, healedMs }: Timeline) => {
  return ({ startMs }: { startMs: number }) => startMs >= faultStartMs && startMs < healedMs;
};
const textOf = (status: number, code: string) => `${status || 'no response'} ${code}`.trim();

/** Applies the check to these operations only. */
export const onlyFor =
  (isIncluded: (operation: Operation) => boolean, check: Check): Check =>
  (operations, timeline) =>
    check(operations.filter(isIncluded), timeline);

/** Requires that none of these operations fails from the injection to the end of the run. */
export const unaffected =
  (what: string, isIncluded: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const failed = failuresOf(operations.filter(isIncluded), timeline).filter(
      ({ startMs }) => startMs >= timeline.injectionStartMs,
    );
    return failed.length > 0
      ? [`${failed.length} ${what} failed, first with ${textOf(failed[0]?.status ?? 0, failed[0]?.code ?? '')}`]
      : [];
  };

/** Requires that every failure during the fault is one of these. `0` stands for no response. A refused connection is never allowed. */
export const failsOnlyWith =
  (...allowed: string[]): Check =>
  (operations, timeline) => {
    const unexpected = failuresOf(operations, timeline)
      .filter(isDuring(timeline))
      .map(({ outcome, status, code }) => (outcome === 'unknown' ? '0' : `${status || outcome} ${code}`))
      .filter((failure) => !allowed.includes(failure));
    return unexpected.length > 0
      ? [`${unexpected.length} requests failed otherwise than expected, one with ${unexpected[0]}`]
      : [];
  };

/** Requires that none of these operations succeeds later than `afterMs` into the fault. With `allowsReplays`, stored responses are allowed. */
export const nothingSucceeds =
  (afterMs: number, isIncluded: (operation: Operation) => boolean, { allowsReplays = false } = {}): Check =>
  (operations, timeline) => {
    const fromMs = timeline.injectionStartMs + afterMs + timeline.maxLoopDelayMs;
    const wrong = attemptsOf(operations.filter(isIncluded))
      .filter(isDuring(timeline))
      .filter(({ endMs }) => endMs < timeline.healedMs - healingMs)
      .filter(({ outcome, startMs, replayed }) => outcome === 'ok' && startMs > fromMs && !(allowsReplays && replayed));
    return wrong.length > 0
      ? [`${wrong.length} requests were accepted ${afterMs / 1_000} s into the fault and later`]
      : [];
  };

/** Requires that at least one of these operations succeeds in the first `withinMs` of the fault. */
export const someSucceed =
  (withinMs: number, isIncluded: (operation: Operation) => boolean): Check =>
  (operations, { injectionStartMs }) => {
    const early = attemptsOf(operations.filter(isIncluded)).filter(
      ({ startMs }) => startMs >= injectionStartMs && startMs < injectionStartMs + withinMs,
    );
    return early.some(({ outcome }) => outcome === 'ok')
      ? []
      : [`nothing succeeded in the first ${withinMs / 1_000} s`];
  };

/** Requires that at least one of these operations gets this response later than `afterMs` into the fault. */
export const someGetResponse =
  (response: string, afterMs: number, isIncluded: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const responses = attemptsOf(operations.filter(isIncluded))
      .filter(isDuring(timeline))
      .filter(({ startMs }) => startMs >= timeline.injectionStartMs + afterMs);
    return responses.some(({ status, code }) => textOf(status, code) === response)
      ? []
      : [`no request got the response ${response}`];
  };

export const isKeyed = ({ idempotencyKey }: Pick<Operation, 'idempotencyKey'>) => idempotencyKey !== null;

/**
 * Requires, while a database or service is unavailable, that failures are `internal` or get no response. A concurrent duplicate with the same
 * Idempotency-Key may also get `unavailable`.
 */
export const failsAsInternal: Check = all(
  onlyFor((operation) => !isKeyed(operation), failsOnlyWith('500 internal', '0')),
  onlyFor(isKeyed, failsOnlyWith('500 internal', '503 unavailable', '0')),
);

/** The longest time that a request may take. */
const longestGapMs = 10_500;

/** Requires that these operations keep succeeding through the other instance while one of two instances is unavailable. */
export const keepsSucceeding =
  (what: string, isIncluded: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const { faultStartMs, healedMs, maxLoopDelayMs } = timeline;
    const starts = attemptsOf(operations.filter(isIncluded))
      .filter(isFaultActive(timeline))
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ startMs }) => startMs)
      .toSorted((a, b) => a - b);
    if (starts.length === 0) return [`no ${what} succeeded through the other one`];
    const gaps = [...starts, healedMs].map((atMs, n) => atMs - (starts[n - 1] ?? faultStartMs));
    const longest = gaps.reduce((most, gap) => Math.max(most, gap));
    return longest > longestGapMs + maxLoopDelayMs
      ? [`for ${(longest / 1_000).toFixed(1)} s no ${what} succeeded`]
      : [];
  };

/** Requires that more of these operations succeed than fail while the part is unavailable. */
export const mostSucceed =
  (what: string, isIncluded: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const included = operations.filter(isIncluded);
    const failed = failuresOf(included, timeline).filter(isFaultActive(timeline)).length;
    const succeeded = attemptsOf(included)
      .filter(isFaultActive(timeline))
      .filter(({ outcome }) => outcome === 'ok').length;
    return succeeded > failed ? [] : [`${succeeded} ${what} succeeded and ${failed} failed`];
  };

/** Requires that there is at least one of these operations, and that each ends with this status. No response counts as another status. */
export const eachEndsWith =
  (status: number, isIncluded: (operation: Operation) => boolean): Check =>
  (operations) => {
    const ends = operations.filter(isIncluded).map(({ attempts }) => attempts.at(-1));
    const unexpected = ends.filter((end) => end?.status !== status);
    if (ends.length === 0) return [`there was no request that could get ${status}`];
    return unexpected.length > 0
      ? [
          `${unexpected.length} of ${ends.length} did not get ${status}, one got ${textOf(unexpected[0]?.status ?? 0, unexpected[0]?.code ?? '')}`,
        ]
      : [];
  };
