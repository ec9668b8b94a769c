/** An operator's opt-out of a domain, as scan-scheduler publishes it. It covers the domain and every domain below it. */
export interface OptOut {
  /** A registrable domain or a private public suffix. */
  subject: string;
  isInForce: boolean;
  changedAt: Date;
}

/**
 * Where the removal of the stores of an opt-out continues:
 *
 * 1. `subject`: the store of the subject itself.
 * 2. `below`: the stores below the subject, by ascending domain after `after`. Stores lie below a suffix, which may itself be below the subject.
 * 3. `late`: the same walk again, for first observations whose transactions began before the entry was durable.
 */
export interface RemovalStep {
  walk: 'subject' | 'below' | 'late';
  after: string;
  /** The step begins then. */
  at: Date;
}

/** MongoDB ends a transaction at the age of a minute. The latest end that was measured is 74 s. */
const longestTransactionMs = 180_000;

export const firstStep = (at: Date): RemovalStep => ({ walk: 'subject', after: '', at });

/** Returns the step after the end of a walk, or null if it was the last one. */
export function stepAfter({ walk }: RemovalStep, now: Date): RemovalStep | null {
  if (walk === 'late') return null;
  if (walk === 'subject') return { walk: 'below', after: '', at: now };
  return { walk: 'late', after: '', at: new Date(now.getTime() + longestTransactionMs) };
}
