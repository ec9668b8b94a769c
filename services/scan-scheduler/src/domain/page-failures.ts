import { dayMs } from '@shopscope/clock';

/**
 * The latest consecutive scans of a domain that got another page than the store's: a challenge, a wall, an error text. The series ends when
 * a scan sees the store or does not reach it.
 */
export interface PageFailures {
  count: number;
  /** The error code of the latest of these scans. */
  code: string;
  firstAt: Date;
  lastAt: Date;
}

/** The number of consecutive failures after which the domain rests. */
const failuresBeforeRest = 3;
/** How long a domain rests. During this time it is visited only if somebody asks for a scan. */
export const restMs = 30 * dayMs;

/** Returns the end of the rest. Undefined if the domain does not rest. */
export function restsUntil({ count, lastAt }: Pick<PageFailures, 'count' | 'lastAt'>): Date | undefined {
  return count >= failuresBeforeRest ? new Date(lastAt.getTime() + restMs) : undefined;
}

/** Returns the series with one more failure. */
export const addFailure = (before: PageFailures | undefined, code: string, at: Date): PageFailures => ({
  count: (before?.count ?? 0) + 1,
  code,
  firstAt: before?.firstAt ?? at,
  lastAt: at,
});
