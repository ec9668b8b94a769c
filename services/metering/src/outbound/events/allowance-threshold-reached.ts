import { type AllowanceThresholdReached, type UnitKey, unitNames } from '@shopscope/proto';
import { generationOf, workspaceOf } from '../../domain/generation.ts';

/** A threshold that an owner (domain/generation.ts) has reached. */
export interface ThresholdReached extends Omit<AllowanceThresholdReached, 'workspaceId' | 'generation' | 'unit'> {
  owner: string;
  unit: UnitKey;
}

/** Creates the event about a threshold of an allowance that the used units have reached. */
export const allowanceThresholdReachedOf = ({ owner, unit, ...rest }: ThresholdReached): AllowanceThresholdReached => ({
  ...rest,
  workspaceId: workspaceOf(owner),
  generation: generationOf(owner),
  unit: unitNames[unit],
});
