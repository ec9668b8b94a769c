import { dayMs } from '@shopscope/clock';

/**
 * The number of the latest scans in a row that found something else than the store's page: a challenge, a wall, an error text. The row ends
 * when a scan sees the store or does not reach it.
 */
export interface OtherAnswers {
  count: number;
  /** The error code of the latest such scan. */
  code: string;
  firstAt: Date;
  lastAt: Date;
}

/** After this many such scans in a row the domain rests. */
const answersBeforeRest = 3;
/** How long a domain rests. During this time it is visited only if somebody asks for a scan. */
export const restMs = 30 * dayMs;

/** Returns the end of the rest. Undefined if the domain does not rest. */
export function restsUntil({ count, lastAt }: Pick<OtherAnswers, 'count' | 'lastAt'>): Date | undefined {
  return count >= answersBeforeRest ? new Date(lastAt.getTime() + restMs) : undefined;
}

/** Returns the row after one more such answer. */
export const oneMore = (before: OtherAnswers | undefined, code: string, at: Date): OtherAnswers => ({
  count: (before?.count ?? 0) + 1,
  code,
  firstAt: before?.firstAt ?? at,
  lastAt: at,
});
