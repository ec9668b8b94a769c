import { noUnits, ReserveOutcome, type Units } from '@shopscope/proto';
import { bodyConflict, type ChargeRequest } from './charge.ts';
import { type ChargeDependencies, reserve, undecided } from './charge-units.ts';

/** A charge with a fingerprint, so that a later execution finds it. */
export type FindSettled = Pick<
  ChargeRequest,
  'chargeId' | 'fingerprint' | 'isPermanent' | 'caller' | 'origin' | 'deadline'
>;

/**
 * Returns the units that an earlier execution of a charge has billed, or undefined if none has billed it. None of them will bill it later,
 * because their attempts are void. The call reserves no units, so it does not need an allowance.
 *
 * - metering is unavailable, or has not read all usage events in time -> rejects.
 */
export async function findSettled(
  deps: Pick<ChargeDependencies, 'metering' | 'clock' | 'onCharge'>,
  charge: FindSettled,
): Promise<Units | undefined> {
  const { outcome, units } = await reserve(deps, { ...charge, units: noUnits });
  switch (outcome) {
    case ReserveOutcome.ALREADY_SETTLED:
      deps.onCharge('settled_before');
      return units ?? noUnits;
    case ReserveOutcome.GRANTED:
      return undefined;
    case ReserveOutcome.FINGERPRINT_MISMATCH:
      deps.onCharge('conflict');
      throw bodyConflict();
    default:
      deps.onCharge('failed');
      throw undecided(outcome);
  }
}
