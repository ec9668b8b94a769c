import type { Tx } from '@shopscope/mongo';
import { isNotTheStore } from '@shopscope/proto';
import { restsUntil } from '../domain/page-failures.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Records, in the caller's transaction, whether the answer of a domain was the page of its store. `rejectedBecause` is the reason that
 * profiles gave, or null for a merged observation.
 *
 * - The third consecutive answer that is not the store's page -> background scans skip the domain for 30 days. Its profile is not refreshed
 *   before the end of this time.
 */
export async function recordAnswer(
  { targets, policy }: Dependencies,
  answer: { domain: string; rejectedBecause: string | null; at: Date },
  tx: Tx,
): Promise<void> {
  const { domain, rejectedBecause, at } = answer;
  // This answer is ignored, because profiles has already merged a later scan.
  if (rejectedBecause === 'superseded') return;
  if (rejectedBecause === null || !isNotTheStore(rejectedBecause)) return targets.clearPageFailures(domain, tx);
  const row = await targets.countPageFailure(domain, rejectedBecause, at, tx);
  const until = restsUntil(row);
  if (until && policy.refresh)
    await targets.refreshNotBefore(domain, new Date(until.getTime() - policy.refresh.afterMs), tx);
}
