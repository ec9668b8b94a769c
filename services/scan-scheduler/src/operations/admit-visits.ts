import { parseAddress } from '../domain/address.ts';
import type { OptOutList } from '../domain/opt-out.ts';
import { type PacingTarget, targetsOf, turnValidMs, visitOf } from '../domain/pacing.ts';
import type { ScanKey } from '../domain/scan.ts';
import type { ReadyScan, VisitTurns } from '../outbound/mongo/scan-queue.ts';
import type { Dependencies } from './dependencies.ts';

export type VisitDecision = 'opted_out' | 'parked' | VisitTurns;

/**
 * Decides which of the ready scans may be leased. A visit takes a turn at each target (domain, addresses) that is known from the domain's
 * latest visit. A target has no turn -> the scan is parked until `unparkScans` has a turn for it.
 *
 * - Only the domain is compared with the opt-out list. The addresses are those of the latest visit, and the domain may have moved since:
 *   renewLease checks the current ones before the first request.
 * - The addresses of a domain are not known -> the visit takes its turns before its first request (admit-request.ts).
 * - Other scans are parked for a target -> this scan is parked, too, because their queues come first.
 * - A scan gets its turns but is not leased -> the turns are lost. If the scan was parked, its next lease uses them.
 * - Bound: one read for all scans and one per target, one update per visit and target, and one write for all parked scans.
 */
export async function beginVisitAdmission(deps: Dependencies, scans: readonly ReadyScan[], optOuts: OptOutList) {
  const known = scans.length > 0 ? await deps.targets.addresses(scans.map(({ domain }) => domain)) : new Map();
  const addressesOf = ({ domain }: ReadyScan) => parseAddresses(known.get(domain) ?? []);
  /** An unused turn expires, but only once per target: otherwise a scan could wait for turns for ever. */
  const isLate = ({ unparkedAt }: ReadyScan) =>
    unparkedAt !== null && deps.clock.now() - unparkedAt.getTime() > turnValidMs;
  const turnsOf = (scan: ReadyScan) =>
    isLate(scan) ? scan.turns.filter((key) => scan.expiredTurns.includes(key)) : scan.turns;
  const expiredTurnsOf = (scan: ReadyScan) =>
    isLate(scan) ? [...new Set([...scan.expiredTurns, ...scan.turns])] : scan.expiredTurns;
  const missingOf = (scan: ReadyScan): PacingTarget[] => {
    const addresses = addressesOf(scan);
    if (addresses.length === 0) return [];
    return targetsOf(deps.policy.pacing, scan.domain, addresses).filter(({ key }) => !turnsOf(scan).includes(key));
  };
  const keys = new Set(scans.flatMap((scan) => missingOf(scan).map(({ key }) => key)));
  const full = await deps.parkedScans.targetsAmong([...keys]);
  const parked: (ScanKey & { target: string } & VisitTurns)[] = [];

  return {
    async decide(scan: ReadyScan): Promise<VisitDecision> {
      if (optOuts.forbids(scan.domain, [])) return 'opted_out';
      const turns = [...turnsOf(scan)];
      const expiredTurns = expiredTurnsOf(scan);
      for (const target of missingOf(scan)) {
        const { key } = target;
        // A scan that has waited for its turn does not wait after the parked scans again.
        if ((full.has(key) && !expiredTurns.includes(key)) || !(await takeTurn(deps, target))) {
          full.add(key);
          parked.push({ id: scan.id, domain: scan.domain, target: key, turns, expiredTurns });
          return 'parked';
        }
        turns.push(key);
      }
      return { turns, expiredTurns };
    },
    /** Writes the parked scans to the database. */
    async park(): Promise<void> {
      await deps.parkedScans.park(parked);
      parked.length = 0;
    },
  };
}

/** Takes a turn of the target. Returns false if the target has no turn at this time. */
export async function takeTurn(deps: Dependencies, target: PacingTarget): Promise<boolean> {
  return (await deps.pacingTargets.reserve(target.key, 'visits', visitOf(target))) !== null;
}

export const parseAddresses = (texts: readonly string[]) => texts.flatMap((text) => parseAddress(text) ?? []);
