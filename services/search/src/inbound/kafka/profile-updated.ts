import type { Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { writeUpdates } from '../../operations/write-updates.ts';

const changing: readonly MergeOutcome[] = [MergeOutcome.MERGED, MergeOutcome.REMOVED];

/**
 * Consumes profile-updates.v1: the document of each store is written again, or deleted if its profile was removed. A rejected observation
 * changes no body, and therefore no document.
 *
 * - The engine or profiles is not available -> the batch is consumed again. Searches have older stores meanwhile.
 */
export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(received) {
    const changes = received.filter(({ event: { outcome } }) => changing.includes(outcome));
    if (changes.length === 0) return;
    const updates = changes.map(({ event: { domain, profileSequence, outcome }, timestampMs }) => {
      return { domain, profileSequence, isRemoval: outcome === MergeOutcome.REMOVED, publishedAtMs: timestampMs };
    });
    await writeUpdates(deps, updates);
    const nowMs = deps.clock.now();
    for (const { timestampMs } of changes) deps.metrics.updateDelay(nowMs - timestampMs);
  },
});
