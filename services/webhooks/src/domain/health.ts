import { dayMs, hourMs } from '@shopscope/clock';

/** The failed attempts of an endpoint since its latest success. */
export interface FailureStreak {
  /** The first of them. */
  since: Date;
  failed: number;
  /** Whether the workspace was told. */
  isTold: boolean;
}

export interface EndpointHealth {
  /** Null without failures since the latest success. */
  streak: FailureStreak | null;
  lastSuccessAt: Date | null;
}

const failingAfter = { ms: 24 * hourMs, attempts: 5 };
const disabledAfter = { ms: 5 * dayMs, attempts: 20 };

/** What the failures of an endpoint mean at a time. */
export function verdictOf(streak: FailureStreak | null, now: Date): 'healthy' | 'failing' | 'dead' {
  if (!streak) return 'healthy';
  const lastsMs = now.getTime() - streak.since.getTime();
  const isPast = (bound: { ms: number; attempts: number }) => lastsMs >= bound.ms && streak.failed >= bound.attempts;
  if (isPast(disabledAfter)) return 'dead';
  return isPast(failingAfter) ? 'failing' : 'healthy';
}

/** The largest number of attempts of an endpoint at the same time, over all instances. */
export const maxInFlight = 10;
/** An endpoint with this many failures has one attempt at a time, so that many dead endpoints do not fill an instance. */
export const slowAfterFailures = 10;
