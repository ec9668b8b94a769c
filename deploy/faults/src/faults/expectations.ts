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
const textOf = (status: number, code: string) => `${status || 'no answer'} ${code}`.trim();

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

/** What fails while the fault lasts fails in one of these ways. `0` stands for no answer. */
export const failsOnlyWith =
  (...allowed: string[]): Check =>
  (operations, timeline) => {
    const odd = failuresOf(operations, timeline)
      .filter(isDuring(timeline))
      .map(({ status, code }) => (status === 0 ? '0' : `${status} ${code}`))
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
