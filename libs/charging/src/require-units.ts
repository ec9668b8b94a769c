import { type UnitKey, unitKeys } from '@shopscope/proto';
import { type ChargeRequest, remainingUnits } from './charge.ts';
import { type ChargeDependencies, chargeUnits } from './charge-units.ts';
import { RequestBilling } from './request-billing.ts';

/**
 * Refuses a free answer if the billed answer of the same query would be refused. Without this check, a caller with a spent allowance could
 * tell 402 from an empty page, and learn for free whether a query has rows.
 *
 * - The balance has the units -> nothing is reserved.
 * - The balance has too few units -> the charge is made up to its commit, which then fails. Leases, waiting times and errors are therefore
 *   those of a charge, and the units return.
 * - Metering is unavailable -> the call rejects with the error of a billed answer.
 * - Two requests need the last unit at the same time -> one of them may get 402 although the other one bills nothing.
 */
export async function requireUnits(
  deps: ChargeDependencies,
  request: Omit<ChargeRequest, 'billing' | 'beforeEvent' | 'onReserved'>,
): Promise<{ remaining: number | undefined }> {
  const { caller, units, origin, deadline } = request;
  const { workspaceId, plan } = caller;
  const balance = await deps.metering.getBalance(workspaceId, origin, deadline);
  deps.balances.put(workspaceId, balance);
  const isLeft = (unit: UnitKey) => remainingUnits(plan.included[unit], balance, unit) >= units[unit];
  if (!unitKeys.every(isLeft)) {
    const notCommitted = new Error('the units are not needed');
    const beforeEvent = () => Promise.reject(notCommitted);
    // The charge has its own billing state, because the response of this request bills nothing.
    const charge = { ...request, billing: new RequestBilling(), beforeEvent };
    await chargeUnits(deps, charge).catch((error: unknown) => {
      if (error !== notCommitted) throw error;
    });
  }
  return { remaining: remainingUnits(plan.included.lookupCached, balance) };
}
