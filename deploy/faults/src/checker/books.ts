import { checkAllowance, exhaustedTimes } from './allowance.ts';
import { compareBilling, usageByKey } from './billing.ts';
import type { CheckOptions } from './check.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { compareUsage } from './usage.ts';

/** Billed, ledger and usage of the customers that are billed. */
export async function compareBooks({ operations, customers, databases, gatewayUrls }: CheckOptions): Promise<string[]> {
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
}: CheckOptions): Promise<string[]> {
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
}: CheckOptions): Promise<string[]> {
  const records = await databases.jobs(customers.main.workspaceId);
  const allSucceed = !isShort && !scenario.mayExhaustAttempts;
  return [
    ...compareJobs(operations, records, { allSucceed }),
    ...compareScans(operations, await databases.charges(customers.main.workspaceId), records),
  ];
}
