import type { Tx } from '@shopscope/mongo';
import { isNotTheStore } from '@shopscope/proto';
import { restsUntil } from '../domain/other-answers.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Records, in the caller's transaction, whether the answer of a domain was the page of its store. `rejectedBecause` is the reason that
 * profiles gave, or null for a merged observation.
 *
 * - The third other answer in a row -> background scans skip the domain for 30 days, and its profile is not refreshed before.
 */
export async function recordAnswer(
  { targets, policy }: Dependencies,
  answer: { domain: string; rejectedBecause: string | null; at: Date },
  tx: Tx,
): Promise<void> {
  const { domain, rejectedBecause, at } = answer;
  // A later scan has answered meanwhile, so this answer is ignored.
  if (rejectedBecause === 'superseded') return;
  if (rejectedBecause === null || !isNotTheStore(rejectedBecause)) return targets.endOtherAnswers(domain, tx);
  const row = await targets.countOtherAnswer(domain, rejectedBecause, at, tx);
  const until = restsUntil(row);
  if (until && policy.refresh)
    await targets.refreshNotBefore(domain, new Date(until.getTime() - policy.refresh.afterMs), tx);
}
