import { PoisonError, type Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { type Settlement, settleScan } from '../../operations/settle-scan.ts';

export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated,
  async handle(events) {
    for (const { event, meta } of events) await settleScan(deps, decode(event), meta);
  },
});

function decode({ scanId, domain, sequence, outcome, reason }: ProfileUpdated): Settlement {
  if (outcome === MergeOutcome.MERGED) return { scanId, domain, sequence, rejectedBecause: null };
  if (outcome === MergeOutcome.REJECTED) return { scanId, domain, sequence, rejectedBecause: reason };
  throw new PoisonError(`unknown outcome ${outcome}`);
}
