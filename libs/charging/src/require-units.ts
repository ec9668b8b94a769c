import type { UnitKey } from '@shopscope/proto';
import type { BalanceCache } from './balance-cache.ts';
import { type ChargeRequest, remainingUnits } from './charge.ts';
import type { ChargeUnits } from './charge-units.ts';
import type { MeteringClient } from './metering-client.ts';
import { RequestBilling } from './request-billing.ts';

/**
 * Refuses a free answer wherever the billed answer of the same query would be refused. Otherwise 402 or an empty page would tell for
 * free whether a query has rows, as often as a caller asks whose allowance is spent.
 *
 * - The balance has the units -> nothing is reserved.
 * - It has too few -> the charge is made up to its commit, which then fails. So leases, waiting and errors are those of a charge, and
 *   the units go back.
 * - Metering is unavailable -> its error, as for a billed answer.
 * - Two requests need the last unit at the same time -> one of them can get 402 although the other bills nothing.
 */
export type RequireUnits = (
  request: Omit<ChargeRequest, 'billing' | 'beforeEvent' | 'onReserved'>,
) => Promise<{ remaining: number | undefined }>;

export function createRequireUnits(options: {
  metering: Pick<MeteringClient, 'getBalance'>;
  chargeUnits: ChargeUnits;
  balances: Pick<BalanceCache, 'put'>;
}): RequireUnits {
  return async (request) => {
    const { caller, units, origin, deadline } = request;
    const { workspaceId, plan } = caller;
    const balance = await options.metering.getBalance(workspaceId, origin, deadline);
    options.balances.put(workspaceId, balance);
    const isLeft = (unit: UnitKey) => remainingUnits(plan.included[unit], balance, unit) >= units[unit];
    if (!(Object.keys(units) as UnitKey[]).every(isLeft)) await chargeWithoutCommit(options.chargeUnits, request);
    return { remaining: remainingUnits(plan.included.lookupCached, balance) };
  };
}

async function chargeWithoutCommit(chargeUnits: ChargeUnits, request: Parameters<RequireUnits>[0]): Promise<void> {
  const notCommitted = new Error('the units are not needed');
  const beforeEvent = () => Promise.reject(notCommitted);
  try {
    // A billing state of its own: the response of this request bills nothing.
    await chargeUnits({ ...request, billing: new RequestBilling(), beforeEvent });
  } catch (error) {
    if (error !== notCommitted) throw error;
  }
}
