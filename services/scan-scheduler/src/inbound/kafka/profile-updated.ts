import { PoisonError, type Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import { applyMergeOutcomes, type MergeResult } from '../../operations/apply-merge-outcome.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(events) {
    await applyMergeOutcomes(
      deps,
      events.map(({ event, meta: origin }) => ({ merge: decode(event), origin })),
    );
  },
});

function decode({ outcome, reason, ...event }: ProfileUpdated): MergeResult {
  const { scanId, domain, sequence, profileSequence, completedAtMs } = event;
  const merge = { scanId, domain, sequence, profileSequence, completedAtMs };
  if (outcome === MergeOutcome.MERGED) return { ...merge, rejectedBecause: null };
  if (outcome === MergeOutcome.REJECTED) return { ...merge, rejectedBecause: reason };
  throw new PoisonError(`unknown merge outcome ${outcome}`);
}
