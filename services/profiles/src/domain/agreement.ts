import { hourMs } from '@shopscope/clock';

/**
 * Two observations that agree confirm a candidate only when they lie so far apart (decision 61). Nearer ones count as one: one
 * outage, one wall or one cached page may be behind both.
 */
export const minAgreementMs = 6 * hourMs;

export const isApart = (since: Date, at: Date): boolean => at.getTime() - since.getTime() >= minAgreementMs;

/** The earliest time of an observation that counts beside one of `since`. */
export const confirmableFrom = (since: Date): Date => new Date(since.getTime() + minAgreementMs);

/** What an observation does to an open candidate with which it agrees. */
export type Verdict =
  /** The candidate is confirmed. */
  | 'confirm'
  /** It stays open with its first date. */
  | 'keep'
  /** It is discarded, and a new one begins: the observation that began it was refuted. */
  | 'restart';
