import type { HeldLease } from '../checker/databases.ts';
import { sleep } from '../wait.ts';
import { busiestMetering } from './busiest.ts';
import { slow } from './harm.ts';
import type { Heal, Stage } from './scenario.ts';

/**
 * Faults that have to meet something at work. Scans and transactions are over in milliseconds, so the links that they need
 * are slowed first, until the harm is done; what was met is noted, because a fault that meets nothing shows nothing.
 */
const longestWaitMs = 15_000;
const lookEveryMs = 20;
/** Between two steps of a scan, and between two statements of a transaction. */
const slowScanMs = 500;
const slowStatementMs = 600;
/** A lease that has been seen for so long is in the hands of its scanner, which has several steps left. */
const underWayMs = 700;
const healAfterMs = 500;

/** Harms while scans are under way; of one scanner where the harm is that scanner's, else of any. */
export async function amidScans(stage: Stage, harm: (scanner: string) => Promise<Heal>, { ofOne = false } = {}) {
  const healLinks = await slow(stage.system.links(/^scanner-.>/), 'down', slowScanMs);
  const leases = await leasesUnderWay(stage);
  const scanner = leases[0]?.scannerId ?? 'scanner';
  const met = ofOne ? leases.filter(({ scannerId }) => scannerId === scanner) : leases;
  const heal = await harm(nodeNamed(scanner));
  for (const lease of met) stage.interrupted.push(lease);
  stage.figure('scans interrupted', met.length);
  await healLinks();
  return heal;
}

/** The first replica goes by the name of its service alone. */
const nodeNamed = (instanceId: string) => (/-\d$/.test(instanceId) ? instanceId : `${instanceId}-1`);

/** Leases that are held, and have been for a while; none when there are none for long. */
async function leasesUnderWay({ databases }: Stage): Promise<HeldLease[]> {
  const seenMs = new Map<string, number>();
  const endMs = performance.now() + longestWaitMs;
  while (performance.now() < endMs) {
    const held = await databases.heldLeases().catch(() => []);
    const nowMs = performance.now();
    for (const { token } of held) if (!seenMs.has(token)) seenMs.set(token, nowMs);
    const underWay = held.filter(({ token }) => nowMs - (seenMs.get(token) ?? nowMs) >= underWayMs);
    if (underWay.length > 0) return underWay;
    await sleep(lookEveryMs);
  }
  return [];
}

export interface Moment {
  /** Requests to the database are slow (`up`), or its replies (`down`). */
  direction: 'up' | 'down';
  /** In the middle of a transaction, or when the database has just decided one and nobody knows that yet. */
  when: 'open' | 'decided';
}

/** Harms a metering that has long transactions, at such a moment. */
export async function amidTransactions(
  stage: Stage,
  { direction, when }: Moment,
  harm: (metering: string) => Promise<Heal>,
): Promise<Heal> {
  const { system, random } = stage;
  const victim = await busiestMetering(stage);
  const healLinks = await slow(system.links(new RegExp(`^${victim}>mongodb`)), direction, slowStatementMs);
  await sleep(random.between(3_000, 5_000));
  const met = await transactionsAt(stage, when);
  const heal = await harm(victim);
  stage.figure('transactions interrupted', met);
  await sleep(healAfterMs);
  await healLinks();
  return heal;
}

/** Waits for the moment; resolves to how many transactions it concerns. */
async function transactionsAt({ databases }: Stage, when: Moment['when']): Promise<number> {
  let before: ReadonlySet<string> = new Set();
  const endMs = performance.now() + longestWaitMs;
  while (performance.now() < endMs) {
    const open = await databases.longTransactions().catch(() => new Set<string>());
    const decided = [...before].filter((name) => !open.has(name)).length;
    const met = when === 'open' ? open.size : decided;
    if (met > 0) return met;
    before = open;
    await sleep(lookEveryMs);
  }
  return 0;
}
