import { PoisonError, type Subscription } from '@shopscope/kafka';
import { MergeOutcome, type ProfileUpdated, profileUpdated } from '@shopscope/proto';
import { applyMergeOutcomes, type MergeResult } from '../../operations/apply-merge-outcome.ts';
import type { Dependencies, TestDependencies } from '../../operations/dependencies.ts';
import { applyTestMerges } from '../../operations/simulate-merges.ts';
import { requireEnvironment } from './require-environment.ts';

/** Consumes profile-updates.v1. After the removal of a profile, the observations of its store need a higher sequence than the removal. */
export const profileUpdatedSubscription = (deps: Dependencies): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(events) {
    requireEnvironment('live', events);
    const removals = events.filter(isRemoval);
    const merges = events.filter((received) => !isRemoval(received));
    await deps.targets.raiseAll(
      removals.map(({ event: { domain, profileSequence: sequence } }) => ({ domain, sequence })),
    );
    await applyMergeOutcomes(
      deps,
      merges.map(({ event, meta: origin }) => ({ merge: decode(event), origin })),
    );
  },
});

const isRemoval = ({ event }: { event: ProfileUpdated }) => event.outcome === MergeOutcome.REMOVED;

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
