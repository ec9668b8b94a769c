import { MergeOutcome, ProfileUpdated } from '@shopscope/proto';
import { optedOut } from '../../domain/merge-observation.ts';
import type { Removal } from '../mongo/stores.ts';

/** Creates the event about the removal of a profile. */
export const profileRemovedOf = ({ domain, sequence }: Removal, removedAt: Date): ProfileUpdated =>
  ProfileUpdated.fromPartial({
    domain,
    outcome: MergeOutcome.REMOVED,
    reason: optedOut,
    completedAtMs: removedAt.getTime(),
    profileSequence: sequence,
  });
