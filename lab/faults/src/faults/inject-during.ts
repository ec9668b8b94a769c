import type { HeldLease } from '../checker/databases.ts';
import { poll, sleep } from '../wait.ts';
import { pickBusiestMeteringInstance } from './busiest-metering-instance.ts';
import { slow } from './inject.ts';
import type { FaultContext, Heal } from './scenario.ts';

/**
 * Injects faults while scans or transactions are in progress. Both end within milliseconds, so their links are slowed until the fault is
 * injected. The number of interrupted scans or transactions is recorded, because a fault that interrupts none proves nothing.
 */
const longestWaitMs = 15_000;
const pollIntervalMs = 20;
/** The delay of each step of a scan. */
const slowScanMs = 500;
/** The delay of each statement of a transaction. */
const slowStatementMs = 600;
/** After this time a scanner carries a leased scan out, and several steps are left. */
const inProgressMs = 700;
const healAfterMs = 500;

/** Injects the fault while scans are in progress. With `ofOne`, the fault affects one scanner, so only the scans of that scanner count. */
export async function injectDuringScans(
  context: FaultContext,
  inject: (scanner: string) => Promise<Heal>,
  { ofOne = false } = {},
) {
  const healLinks = await slow(context.system.links(/^scanner-.>/), 'down', slowScanMs);
  const leases = await leasesInProgress(context);
  const scanner = leases[0]?.scannerId ?? 'scanner';
  const affected = ofOne ? leases.filter(({ scannerId }) => scannerId === scanner) : leases;
  const heal = await inject(nodeNamed(scanner));
  for (const lease of affected) context.scansInProgress.push(lease);
  context.recordFigure('scans interrupted', affected.length);
  await healLinks();
  return heal;
}

/** Returns the name of the node. The instance id of the first replica is the name of the service without a number. */
const nodeNamed = (instanceId: string) => (/-\d$/.test(instanceId) ? instanceId : `${instanceId}-1`);

/** Asks until something is in progress. Resolves to undefined after {@link longestWaitMs}. */
const untilInProgress = <T>(ask: () => Promise<T | undefined>) =>
  poll(ask, { timeoutMs: longestWaitMs, everyMs: pollIntervalMs });

/** Waits until leases have been held for {@link inProgressMs}. Resolves to these leases. */
async function leasesInProgress({ databases }: FaultContext): Promise<HeldLease[]> {
  const seenMs = new Map<string, number>();
  const leases = await untilInProgress(async () => {
    const held = await databases.heldLeases();
    const nowMs = performance.now();
    for (const { token } of held) if (!seenMs.has(token)) seenMs.set(token, nowMs);
    const inProgress = held.filter(({ token }) => nowMs - (seenMs.get(token) ?? nowMs) >= inProgressMs);
    return inProgress.length > 0 ? inProgress : undefined;
  });
  return leases ?? [];
}

export interface Moment {
  /** The slowed direction: requests to the database (`up`) or its responses (`down`). */
  direction: 'up' | 'down';
  /** The moment of the fault: while a transaction is open, or after the database has decided it and before metering has the response. */
  when: 'open' | 'decided';
}

/** Injects the fault into the metering instance that consumes usage events, at the given moment of its transactions. */
export async function injectDuringTransactions(
  context: FaultContext,
  { direction, when }: Moment,
  inject: (metering: string) => Promise<Heal>,
): Promise<Heal> {
  const { system, random } = context;
  const victim = await pickBusiestMeteringInstance(context);
  const healLinks = await slow(system.links(new RegExp(`^${victim}>mongodb`)), direction, slowStatementMs);
  await sleep(random.between(3_000, 5_000));
  const affected = await transactionsAt(context, when);
  const heal = await inject(victim);
  context.recordFigure('transactions interrupted', affected);
  await sleep(healAfterMs);
  await healLinks();
  return heal;
}

/** Waits for the moment. Resolves to the number of transactions that have reached it. */
async function transactionsAt({ databases }: FaultContext, when: Moment['when']): Promise<number> {
  let before: ReadonlySet<string> = new Set();
  const count = await untilInProgress(async () => {
    const open = await databases.longTransactions().catch(() => new Set<string>());
    const decided = [...before].filter((name) => !open.has(name)).length;
    before = open;
    return (when === 'open' ? open.size : decided) || undefined;
  });
  return count ?? 0;
}
