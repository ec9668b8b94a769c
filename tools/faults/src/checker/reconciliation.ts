import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Scenario } from '../faults/scenario.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import { compareBilling, usageByKey } from './billing.ts';
import type { Databases } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { compareUsage } from './usage.ts';

/** The clients' history, and the databases and responses to compare it with. */
export interface ReconciliationOptions {
  scenario: Scenario;
  operations: readonly Operation[];
  customers: Customers;
  databases: Databases;
  gatewayUrls: readonly string[];
  /** Leaves out assertions that a busy machine can break: time bounds, and scans that time out. */
  isShort: boolean;
}

/** Compares billed units, ledger and usage of the customers that are billed. It repairs nothing. */
export async function reconcileBilling({
  operations,
  customers,
  databases,
  gatewayUrls,
}: ReconciliationOptions): Promise<string[]> {
  let problems: string[] = [];
  for (const customer of [customers.main, customers.smallAllowance]) {
    const charges = await databases.charges(customer.workspaceId);
    const mine = operations.filter((operation) => operation.workspaceId === customer.workspaceId);
    const usageProblems = await compareUsage(gatewayUrls[0] ?? '', customer, usageByKey(charges));
    problems = [...problems, ...compareBilling(mine, charges), ...usageProblems];
  }
  return problems;
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
