import { type Customers, scarceOf } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Scenario } from '../faults/scenario.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import { compareBilling, usageByKey } from './billing.ts';
import { type Databases, leasableUnits } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { checkPrematureRefusals, checkSold, type Sold } from './lending.ts';
import { compareRefunds } from './refunds.ts';
import type { LentSample } from './sampler.ts';
import { compareUsage } from './usage.ts';

/** The clients' history, and what it is compared with. */
export interface ReconciliationOptions {
  scenario: Scenario;
  operations: readonly Operation[];
  customers: Customers;
  databases: Databases;
  gatewayUrls: readonly string[];
  /** Whether assertions are left out that a busy machine can break: time bounds, and the success of scans, which may time out. */
  isShort: boolean;
}

/** Compares the billed units, the ledger and the usage of the customers that are billed. */
export async function reconcileBilling({
  operations,
  customers,
  databases,
  gatewayUrls,
}: ReconciliationOptions): Promise<string[]> {
  const billed = [customers.main, customers.smallAllowance, ...customers.crowd].map(async (customer) => {
    const charges = await databases.charges(customer.workspaceId);
    const ofCustomer = operations.filter((operation) => operation.workspaceId === customer.workspaceId);
    const refunds = await databases.refunds(customer.workspaceId);
    const usageProblems = await compareUsage(gatewayUrls[0] ?? '', customer, usageByKey(charges, refunds));
    const jobs = await databases.jobs(customer.workspaceId);
    return [
      ...compareBilling(ofCustomer, charges),
      ...compareRefunds(ofCustomer, charges, refunds, jobs),
      ...usageProblems,
    ];
  });
  return (await Promise.all(billed)).flat();
}

/** Resolves to the operations and charges of each workspace with a small allowance. */
export async function soldOf({ operations, customers, databases }: ReconciliationOptions): Promise<Sold[]> {
  const sold = [customers.smallAllowance, ...scarceOf(customers)].map(async (customer): Promise<Sold> => {
    const { workspaceId } = customer;
    return {
      customer,
      operations: operations.filter((operation) => operation.workspaceId === workspaceId),
      charges: await databases.charges(workspaceId),
      holders: await databases.holders(workspaceId),
    };
  });
  return Promise.all(sold);
}

export const reconcileSold = async (options: ReconciliationOptions): Promise<string[]> =>
  (await soldOf(options)).flatMap(checkSold);

export const reconcileRefusals = async (
  options: ReconciliationOptions,
  samples: readonly LentSample[],
): Promise<string[]> => (await soldOf(options)).flatMap((sold) => checkPrematureRefusals(sold, samples));

/** Returns a problem for each lease that was opened before `openedBeforeMs` (wall clock) and holds units that the ledger has not settled. */
export async function stillLent(
  { customers, databases }: Pick<ReconciliationOptions, 'customers' | 'databases'>,
  openedBeforeMs: number,
): Promise<string[]> {
  const ids = [customers.main, customers.smallAllowance, ...customers.crowd].map(({ workspaceId }) => workspaceId);
  return [...(await databases.allowancesOf(ids))].flatMap(([workspaceId, { leases }]) =>
    leases
      .filter(({ openedAtMs, granted, settled }) => openedAtMs < openedBeforeMs && granted > settled)
      .map(
        ({ id, unit, granted, settled }) => `${workspaceId}: lease ${id} holds ${granted - settled} units of ${unit}`,
      ),
  );
}

/** Returns a problem for each small allowance of which units are taken that are not in the ledger. Such units are lent or reserved. */
export async function notUsed({ customers, databases }: Pick<ReconciliationOptions, 'customers' | 'databases'>) {
  const ids = [customers.smallAllowance, ...scarceOf(customers)].map(({ workspaceId }) => workspaceId);
  const [allowances, used] = await Promise.all([databases.allowancesOf(ids), databases.usedBy(ids)]);
  return ids.flatMap((id) =>
    leasableUnits.flatMap((unit) => {
      const taken = allowances.get(id)?.taken[unit] ?? 0;
      const counted = used.get(id)?.[unit] ?? 0;
      return taken === counted ? [] : [`${id}: ${taken} units of ${unit} are taken, and ${counted} are used`];
    }),
  );
}

export async function reconcileAllowance({
  operations,
  customers: { smallAllowance },
  databases,
}: ReconciliationOptions): Promise<string[]> {
  return [
    ...checkAllowance(operations, await databases.charges(smallAllowance.workspaceId), smallAllowance.included),
    ...(exhaustedTimes(operations) === 0 ? ['no request was refused because the allowance was exhausted'] : []),
  ];
}

export async function reconcileJobs({
  scenario,
  operations,
  customers,
  databases,
  isShort,
}: ReconciliationOptions): Promise<string[]> {
  const records = await databases.jobs(customers.main.workspaceId);
  const allSucceed = !isShort && !scenario.mayExhaustAttempts;
  return [
    ...compareJobs(operations, records, { allSucceed }),
    ...compareScans(operations, await databases.charges(customers.main.workspaceId), records),
  ];
}
