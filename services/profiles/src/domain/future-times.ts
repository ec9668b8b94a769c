import type { Signal } from './signal.ts';
import type { StoreProfile } from './store-profile.ts';

/**
 * Corrects times from wrong clocks. No observation can be complete after its merge, so a later time is an error of the
 * scanner's clock. A profile with a future date would show that date until it has passed, because dates never move back.
 */

/** The clocks of a healthy system differ by less than this. A larger difference is reported and corrected. */
export const maxClockDifferenceMs = 10_000;

/** Returns the time of an observation, but at most the time of its merge. */
export const notAfter = (atMs: number, nowMs: number): number => Math.min(atMs, nowMs);

/** Whether the time is later than any clock of a healthy system could show. */
export const isFuture = (atMs: number, nowMs: number): boolean => atMs > nowMs + maxClockDifferenceMs;

/**
 * Returns the profile with each future date replaced by `at`, the time of the observation that is merged now. Returns the
 * same object if the profile has no future date.
 */
export function healFutureTimes(profile: StoreProfile, at: Date, nowMs: number): StoreProfile {
  let found = false;
  const heal = (date: Date): Date => {
    if (!isFuture(date.getTime(), nowMs)) return date;
    found = true;
    return at;
  };
  // A signal must never be confirmed before it is effective, even if only one of its dates was in the future.
  const healSignal = (signal: Signal): Signal => {
    const [effectiveAt, confirmedAt] = [heal(signal.effectiveAt), signal.confirmedAt && heal(signal.confirmedAt)];
    return { ...signal, effectiveAt: earlier(effectiveAt, confirmedAt), confirmedAt };
  };
  const healSpan = <Span extends { firstObservedAt: Date; lastConfirmedAt: Date }>(span: Span): Span => ({
    ...span,
    firstObservedAt: heal(span.firstObservedAt),
    lastConfirmedAt: heal(span.lastConfirmedAt),
  });
  const healed: StoreProfile = {
    ...profile,
    firstScanAt: heal(profile.firstScanAt),
    lastCompletedScanAt: heal(profile.lastCompletedScanAt),
    platform: healSpan(profile.platform),
    status: { ...profile.status, asOf: heal(profile.status.asOf) },
    technologies: profile.technologies.map(healSpan),
    catalog: { ...profile.catalog, asOf: heal(profile.catalog.asOf) },
    recentSignals: profile.recentSignals.map(healSignal),
    candidates: profile.candidates.map(healSignal),
    changeOfEverything: profile.changeOfEverything && {
      ...profile.changeOfEverything,
      agreedAt: heal(profile.changeOfEverything.agreedAt),
    },
    retractable: profile.retractable.map((each) => ({
      ...each,
      signal: healSignal(each.signal),
      ...(each.kind === 'platform' && { platform: healSpan(each.platform) }),
      ...(each.kind === 'technology' && { technology: healSpan(each.technology) }),
    })),
  };
  return found ? healed : profile;
}

const earlier = (date: Date, other: Date | null): Date => (other !== null && other < date ? other : date);

/** Returns the signals of a healed profile whose dates differ from before. */
export function healedSignals(before: StoreProfile, healed: StoreProfile): Signal[] {
  const known = new Map(signalsOf(before).map((signal) => [signal.id, signal]));
  return signalsOf(healed).filter(({ id, effectiveAt, confirmedAt }) => {
    const old = known.get(id);
    return (
      old?.effectiveAt.getTime() !== effectiveAt.getTime() || old?.confirmedAt?.getTime() !== confirmedAt?.getTime()
    );
  });
}

/** Returns each signal once. A signal that may be retracted can also be a recent one. */
function signalsOf({ recentSignals, candidates, retractable }: StoreProfile): Signal[] {
  const all = [...recentSignals, ...candidates, ...retractable.map(({ signal }) => signal)];
  return [...new Map(all.map((signal) => [signal.id, signal])).values()];
}
