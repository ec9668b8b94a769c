import type { Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { writeUpdates } from '../../operations/write-updates.ts';

/**
 * Consumes profile-updates.v1: the document of each store is written again. A rejected observation changes no body, and therefore no
 * document.
 *
 * - The engine or profiles is not available -> the batch is consumed again. Searches have older stores meanwhile.
 */
export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(received) {
    const merged = received.filter(({ event }) => event.outcome === MergeOutcome.MERGED);
    if (merged.length === 0) return;
    await writeUpdates(
      deps,
      merged.map(({ event }) => event),
    );
    const nowMs = deps.clock.now();
    for (const { timestampMs } of merged) deps.metrics.updateDelay(nowMs - timestampMs);
  },
});
