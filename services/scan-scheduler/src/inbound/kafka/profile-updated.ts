import { PoisonError, type Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import { applyMergeOutcomes, type MergeResult } from '../../operations/apply-merge-outcome.ts';
import type { Dependencies, TestDependencies } from '../../operations/dependencies.ts';
import { applyTestMerges } from '../../operations/simulate-merges.ts';
import { requireEnvironment } from './require-environment.ts';

export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(events) {
    requireEnvironment('live', events);
    await applyMergeOutcomes(
      deps,
      events.map(({ event, meta: origin }) => ({ merge: decode(event), origin })),
    );
  },
});

/** Consumes the updates of test stores. */
export const testProfileUpdatedSubscription = (deps: TestDependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.test,
  async handle(events) {
    requireEnvironment('test', events);
    await applyTestMerges(
      deps,
      events.map(({ event }) => decode(event)),
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
