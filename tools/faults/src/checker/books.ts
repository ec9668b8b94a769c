import type { Customers } from '../clients/customers.ts';
import type { Operation } from '../clients/history.ts';
import type { Scenario } from '../faults/scenario.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import { compareBilling, usageByKey } from './billing.ts';
import type { Databases } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { compareUsage } from './usage.ts';

/** What the clients saw, and where the records of it are. */
export interface BooksOptions {
  scenario: Scenario;
  operations: readonly Operation[];
  customers: Customers;
  databases: Databases;
  gatewayUrls: readonly string[];
  /** Leaves out what a busy machine breaks by itself: bounds of time, and scans that are too late for their stores. */
  isShort: boolean;
}

/** Billed, ledger and usage of the customers that are billed. */
export async function compareBooks({ operations, customers, databases, gatewayUrls }: BooksOptions): Promise<string[]> {
  let problems: string[] = [];
  for (const customer of [customers.main, customers.tight]) {
    const charges = await databases.charges(customer.workspaceId);
    const mine = operations.filter((operation) => operation.workspaceId === customer.workspaceId);
    const usageProblems = await compareUsage(gatewayUrls[0] ?? '', customer, usageByKey(charges));
    problems = [...problems, ...compareBilling(mine, charges), ...usageProblems];
  }
  return problems;
}

export async function compareAllowance({
  operations,
  customers: { tight },
  databases,
}: BooksOptions): Promise<string[]> {
  return [
    ...checkAllowance(operations, await databases.charges(tight.workspaceId), tight.included),
    ...(exhaustedTimes(operations) === 0 ? ['nobody was told that the allowance is exhausted'] : []),
  ];
}

export async function compareWork({
  scenario,
  operations,
  customers,
  databases,
  isShort,
}: BooksOptions): Promise<string[]> {
  const records = await databases.jobs(customers.main.workspaceId);
  const allSucceed = !isShort && !scenario.mayExhaustAttempts;
  return [
    ...compareJobs(operations, records, { allSucceed }),
    ...compareScans(operations, await databases.charges(customers.main.workspaceId), records),
  ];
}
