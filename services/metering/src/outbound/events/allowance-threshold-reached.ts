import { type AllowanceThresholdReached, type UnitKey, unitNames } from '@shopscope/proto';

export type ThresholdReached = Omit<AllowanceThresholdReached, 'unit'> & { unit: UnitKey };

/** Creates the event about a threshold of an allowance that the used units have reached. */
export const allowanceThresholdReachedOf = ({ unit, ...rest }: ThresholdReached): AllowanceThresholdReached => ({
  ...rest,
  unit: unitNames[unit],
});
