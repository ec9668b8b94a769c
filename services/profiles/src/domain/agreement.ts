import { hourMs } from '@shopscope/clock';

/**
 * Two observations that agree confirm a candidate only if this much time lies between them (decision 61). Observations closer
 * to each other count as one, because one outage, one wall or one cached page may have caused both.
 */
export const minAgreementMs = 6 * hourMs;

export const isApart = (since: Date, at: Date): boolean => at.getTime() - since.getTime() >= minAgreementMs;

/** Returns the earliest time of an observation that counts in addition to one at `since`. */
export const confirmableFrom = (since: Date): Date => new Date(since.getTime() + minAgreementMs);

/** The effect of an observation on an open candidate with which it agrees. */
export type Verdict =
  /** The candidate is confirmed. */
  | 'confirm'
  /** The candidate stays open with its first date. */
  | 'keep'
  /** The candidate is discarded and a new one begins, because the observation that began it was refuted. */
  | 'restart';
