import { attemptsOf, failuresOf, type Timeline } from '../checker/timeline.ts';
import type { Operation } from '../clients/history.ts';

type Check = (operations: readonly Operation[], timeline: Timeline) => string[];

export const all =
  (...checks: Check[]): Check =>
  (operations, timeline) =>
    checks.flatMap((check) => check(operations, timeline));

/** A fault is over a little before that is noted. */
const healingMs = 1_000;

const isDuring = ({ injectedMs, healedMs }: Timeline) => {
  return ({ startMs }: { startMs: number }) => startMs >= injectedMs && startMs < healedMs;
};
const isAway = ({ struckMs, healedMs }: Timeline) => {
  return ({ startMs }: { startMs: number }) => startMs >= struckMs && startMs < healedMs;
};
const textOf = (status: number, code: string) => `${status || 'no answer'} ${code}`.trim();

/** What the check says of these alone. */
export const among =
  (concerns: (operation: Operation) => boolean, check: Check): Check =>
  (operations, timeline) =>
    check(operations.filter(concerns), timeline);

/** These go on as if nothing were the matter, from the fault on to the end of the run. */
export const unaffected =
  (what: string, concerns: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const failed = failuresOf(operations.filter(concerns), timeline).filter(
      ({ startMs }) => startMs >= timeline.injectedMs,
    );
    return failed.length > 0
      ? [`${failed.length} ${what} failed, first with ${textOf(failed[0]?.status ?? 0, failed[0]?.code ?? '')}`]
      : [];
  };

/** What fails while the fault lasts fails in one of these ways. `0` stands for no answer; a connection that is refused is none of them. */
export const failsOnlyWith =
  (...allowed: string[]): Check =>
  (operations, timeline) => {
    const odd = failuresOf(operations, timeline)
      .filter(isDuring(timeline))
      .map(({ outcome, status, code }) => (outcome === 'unknown' ? '0' : `${status || outcome} ${code}`))
      .filter((answer) => !allowed.includes(answer));
    return odd.length > 0 ? [`${odd.length} requests failed otherwise than expected, one with ${odd[0]}`] : [];
  };

/** Operations of these kinds succeed no more from `afterMs` into the fault on; a kept answer may be sent again. */
export const nothingSucceeds =
  (afterMs: number, concerns: (operation: Operation) => boolean, { replaysMay = false } = {}): Check =>
  (operations, timeline) => {
    const fromMs = timeline.injectedMs + afterMs + timeline.blurMs;
    const wrong = attemptsOf(operations.filter(concerns))
      .filter(isDuring(timeline))
      .filter(({ endMs }) => endMs < timeline.healedMs - healingMs)
      .filter(({ outcome, startMs, replayed }) => outcome === 'ok' && startMs > fromMs && !(replaysMay && replayed));
    return wrong.length > 0
      ? [`${wrong.length} requests were accepted ${afterMs / 1_000} s into the fault and later`]
      : [];
  };

/** At least one operation of these kinds succeeds in the first `withinMs` of the fault: it is not simply all down. */
export const someSucceed =
  (withinMs: number, concerns: (operation: Operation) => boolean): Check =>
  (operations, { injectedMs }) => {
    const early = attemptsOf(operations.filter(concerns)).filter(
      ({ startMs }) => startMs >= injectedMs && startMs < injectedMs + withinMs,
    );
    return early.some(({ outcome }) => outcome === 'ok')
      ? []
      : [`nothing succeeded in the first ${withinMs / 1_000} s`];
  };

/** At least one request of these is answered so from `afterMs` into the fault on. */
export const someAreTold =
  (answer: string, afterMs: number, concerns: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const told = attemptsOf(operations.filter(concerns))
      .filter(isDuring(timeline))
      .filter(({ startMs }) => startMs >= timeline.injectedMs + afterMs);
    return told.some(({ status, code }) => textOf(status, code) === answer) ? [] : [`nobody was told ${answer}`];
  };

export const isKeyed = ({ idempotencyKey }: Pick<Operation, 'idempotencyKey'>) => idempotencyKey !== null;

/** Where a database or a service is away: internal and unbilled, or no answer; a twin of one under way may be told to come again. */
export const failsAsInternal: Check = all(
  among((operation) => !isKeyed(operation), failsOnlyWith('500 internal', '0')),
  among(isKeyed, failsOnlyWith('500 internal', '503 unavailable', '0')),
);

/** Longer than a request may take. */
const longestGapMs = 10_500;

/** While one of two is away these succeed through the other, again and again. */
export const successesGoOn =
  (what: string, concerns: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const { struckMs, healedMs, blurMs } = timeline;
    const starts = attemptsOf(operations.filter(concerns))
      .filter(isAway(timeline))
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ startMs }) => startMs)
      .toSorted((a, b) => a - b);
    if (starts.length === 0) return [`no ${what} succeeded through the other one`];
    const gaps = [...starts, healedMs].map((atMs, n) => atMs - (starts[n - 1] ?? struckMs));
    const longest = gaps.reduce((most, gap) => Math.max(most, gap));
    return longest > longestGapMs + blurMs ? [`for ${(longest / 1_000).toFixed(1)} s no ${what} succeeded`] : [];
  };

/** While the part is away more of these succeed than fail. */
export const mostSucceed =
  (what: string, concerns: (operation: Operation) => boolean): Check =>
  (operations, timeline) => {
    const mine = operations.filter(concerns);
    const failed = failuresOf(mine, timeline).filter(isAway(timeline)).length;
    const fine = attemptsOf(mine)
      .filter(isAway(timeline))
      .filter(({ outcome }) => outcome === 'ok').length;
    return fine > failed ? [] : [`${fine} ${what} succeeded and ${failed} failed`];
  };

/** There are some of these, and each ends with this status; no answer is none. */
export const eachEndsWith =
  (status: number, concerns: (operation: Operation) => boolean): Check =>
  (operations) => {
    const ends = operations.filter(concerns).map(({ attempts }) => attempts.at(-1));
    const odd = ends.filter((end) => end?.status !== status);
    if (ends.length === 0) return [`nothing was there to be answered ${status}`];
    return odd.length > 0
      ? [
          `${odd.length} of ${ends.length} were not answered ${status}, one ${textOf(odd[0]?.status ?? 0, odd[0]?.code ?? '')}`,
        ]
      : [];
  };
