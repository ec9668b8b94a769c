import { dayMs } from '@shopscope/clock';

/**
 * The latest scans of a domain met something else than the page of its store, one after the other: a challenge, a wall, an error text. A scan
 * that sees the store, or does not reach it, ends the row.
 */
export interface OtherAnswers {
  count: number;
  /** The error code of the latest one. */
  code: string;
  firstAt: Date;
  lastAt: Date;
}

/** After so many in a row the domain rests. */
const answersBeforeRest = 3;
/** While a domain rests, it is visited only for those who ask for a scan themselves. */
export const restMs = 30 * dayMs;

/** The end of the rest; undefined when the domain does not rest. */
export function restsUntil({ count, lastAt }: Pick<OtherAnswers, 'count' | 'lastAt'>): Date | undefined {
  return count >= answersBeforeRest ? new Date(lastAt.getTime() + restMs) : undefined;
}

/** The row after one more such answer. */
export const oneMore = (before: OtherAnswers | undefined, code: string, at: Date): OtherAnswers => ({
  count: (before?.count ?? 0) + 1,
  code,
  firstAt: before?.firstAt ?? at,
  lastAt: at,
});
