import { minuteMs } from '@shopscope/clock';
import {
  type PacingLimits,
  requestsPerVisit,
  slotOf,
  targetOfKey,
  turnValidMs,
  visitOf,
} from '../../src/domain/pacing.ts';
import { createIdHeap } from './heap.ts';

/** The pacing targets of simulated domains: each domain is on a platform, or on an address that some domains share. */
export interface TargetOptions {
  domains: number;
  /** The platforms, with their shares of all domains. */
  platforms: readonly { name: string; share: number; requestsPerSecond: number }[];
  addressRequestsPerSecond: number;
  domainsPerAddress: number;
}

export interface TargetReport {
  /** The platforms, then all other addresses. */
  rows: {
    name: string;
    limit: number;
    visits: number;
    /** Requests per second in the minute with the most visits of one target. */
    mostRequestsPerSecond: number;
  }[];
  mostParked: number;
}

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ domains, platforms, addressRequestsPerSecond, domainsPerAddress }: TargetOptions) {
  const limits: PacingLimits = {
    domainRequestsPerSecond: addressRequestsPerSecond,
    addressRequestsPerSecond,
    platforms: platforms.map((platform) => ({ ...platform, networks: [] })),
  };
  const count = platforms.length + Math.ceil(domains / domainsPerAddress);
  const nextVisitMs = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const minute = new Uint32Array(count);
  const visitsOfMinute = new Uint32Array(count);
  const rows = [...platforms.map(({ name }) => name), 'any other address'].map((name, n) => ({
    name,
    limit: platforms[n]?.requestsPerSecond ?? addressRequestsPerSecond,
    visits: 0,
    mostRequestsPerSecond: 0,
  }));
  /** Target -> queue -> scans. The first queue of the map has the next turn. */
  const parked = new Map<number, Map<number, { scans: number[]; taken: number }>>();
  const turns = createIdHeap((a, b) => nextTurnOf(a) < nextTurnOf(b));
  /** The time until which a target gives no further turn, because the scan with its latest turn is not leased yet. */
  const waitsUntilMs = new Float64Array(count);
  const nextTurnOf = (target: number) => Math.max(nextVisitMs[target] as number, waitsUntilMs[target] as number);
  let parkedCount = 0;
  let mostParked = 0;

  const reservations = rows.map((_, n) => {
    const key = platforms[n] ? `platform:${platforms[n].name}` : 'address:any';
    return visitOf(targetOfKey(limits, key));
  });
  const takeTurn = (target: number, nowMs: number): boolean => {
    const reservation = reservations[Math.min(target, platforms.length)] as ReturnType<typeof visitOf>;
    const slotMs = slotOf(nextVisitMs[target], nowMs, reservation);
    if (slotMs === null) return false;
    nextVisitMs[target] = slotMs + reservation.costMs;
    return true;
  };

  return {
    targetOf(domain: number): number {
      // Neighbouring domains are in different places.
      let place = ((Math.imul(domain + 1, 0x9e3779b1) >>> 0) % 100_000) / 100_000;
      for (const [n, { share }] of platforms.entries()) {
        if (place < share) return n;
        place -= share;
      }
      return platforms.length + Math.floor(domain / domainsPerAddress);
    },
    /** Returns false if the target has no turn, or if other scans are parked for it. */
    tryTurn: (target: number, nowMs: number, hasWaited: boolean) =>
      (hasWaited || !parked.has(target)) && takeTurn(target, nowMs),
    park(target: number, queue: number, scan: number) {
      let queues = parked.get(target);
      if (!queues) {
        queues = new Map();
        parked.set(target, queues);
        turns.push(target);
      }
      const waiting = queues.get(queue);
      if (waiting) waiting.scans.push(scan);
      else queues.set(queue, { scans: [scan], taken: 0 });
      parkedCount++;
      mostParked = Math.max(mostParked, parkedCount);
    },
    /** The time of the next turn of a parked scan. */
    nextTurnMs: () => (turns.size > 0 ? Math.ceil(nextTurnOf(turns.first())) : Number.POSITIVE_INFINITY),
    /** Gives the next turn to a parked scan, and returns the scan. */
    unpark(nowMs: number): number {
      const target = turns.pop();
      takeTurn(target, nowMs);
      const queues = parked.get(target);
      const [queue, waiting] = queues?.entries().next().value ?? [];
      if (!queues || queue === undefined || !waiting) throw new Error('a target in the heap has a parked scan');
      const scan = waiting.scans[waiting.taken++] as number;
      queues.delete(queue);
      if (waiting.taken < waiting.scans.length) queues.set(queue, waiting);
      waitsUntilMs[target] = nowMs + turnValidMs;
      if (queues.size > 0) turns.push(target);
      else parked.delete(target);
      parkedCount--;
      return scan;
    },
    visited(target: number, nowMs: number) {
      if (waitsUntilMs[target] !== 0) {
        waitsUntilMs[target] = 0;
        if (parked.has(target)) turns.raise(target);
      }
      const current = Math.floor(nowMs / minuteMs);
      if (minute[target] !== current) visitsOfMinute[target] = 0;
      minute[target] = current;
      const visits = (visitsOfMinute[target] as number) + 1;
      visitsOfMinute[target] = visits;
      const row = rows[Math.min(target, platforms.length)] as (typeof rows)[number];
      row.visits++;
      row.mostRequestsPerSecond = Math.max(row.mostRequestsPerSecond, (visits * requestsPerVisit * 1_000) / minuteMs);
    },
    report: (): TargetReport => ({ rows, mostParked }),
  };
}
