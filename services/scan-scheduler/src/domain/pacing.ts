import { type Address, hostNetworkOf, isWithin, type Network } from './address.ts';

/**
 * Pacing of requests to targets, over all scanners.
 *
 * - A target is a registrable domain, an address (IPv4, or a /64 of IPv6), or a platform, whose addresses count as one.
 * - Each request is charged to its domain and to each address that the scanner may connect to.
 * - A target has two schedules. Requests are spaced by its limit: at most `requestsPerSecond`, whatever the number of scans. Visits
 *   are spaced by the limit divided by {@link requestsPerVisit}, so that few scans wait for a request at the same time.
 * - Virtual scheduling (GCRA): a schedule is the time of its next slot. A reservation takes the slot and moves it by its cost.
 */
export interface PacingTarget {
  key: string;
  requestsPerSecond: number;
  /** The lowest limit of the target. The limit of a domain depends on the addresses of the request. */
  lowestRequestsPerSecond: number;
}

export interface PacingLimits {
  /** Limit of a domain, and of an address that belongs to no platform. */
  domainRequestsPerSecond: number;
  addressRequestsPerSecond: number;
  platforms: readonly Platform[];
}

/** Networks of one operator that share one limit. */
export interface Platform {
  name: string;
  networks: readonly Network[];
  requestsPerSecond: number;
  /** Limit of each domain that has an address of the platform. Absent: the limit of any domain. */
  domainRequestsPerSecond?: number | undefined;
}

/** The targets of a request, or of a visit when the addresses of its domain are known. */
export function targetsOf(limits: PacingLimits, domain: string, addresses: readonly Address[]): PacingTarget[] {
  const targets = new Map<string, PacingTarget>();
  let domainLimit = Number.POSITIVE_INFINITY;
  for (const address of addresses) {
    const platform = limits.platforms.find(({ networks }) => networks.some((network) => isWithin(address, network)));
    const key = platform ? `platform:${platform.name}` : `address:${hostNetworkOf(address)}`;
    const requestsPerSecond = platform ? platform.requestsPerSecond : limits.addressRequestsPerSecond;
    targets.set(key, { key, requestsPerSecond, lowestRequestsPerSecond: requestsPerSecond });
    domainLimit = Math.min(domainLimit, platform?.domainRequestsPerSecond ?? limits.domainRequestsPerSecond);
  }
  const key = `domain:${domain}`;
  const ofDomain = { key, requestsPerSecond: domainLimit, lowestRequestsPerSecond: limitOfKey(limits, key) };
  return [ofDomain, ...targets.values()];
}

/**
 * The limit of a target of which only the key is known. A domain has the lowest limit of all domains, because the addresses are not
 * known: its turns may come later than those of {@link targetsOf}, and never earlier.
 */
export function limitOfKey(limits: PacingLimits, key: string): number {
  if (key.startsWith('domain:')) {
    const ofPlatforms = limits.platforms.flatMap(({ domainRequestsPerSecond }) => domainRequestsPerSecond ?? []);
    return Math.min(limits.domainRequestsPerSecond, ...ofPlatforms);
  }
  const platform = limits.platforms.find(({ name }) => key === `platform:${name}`);
  return platform?.requestsPerSecond ?? limits.addressRequestsPerSecond;
}

export function targetOfKey(limits: PacingLimits, key: string): PacingTarget {
  const requestsPerSecond = limitOfKey(limits, key);
  return { key, requestsPerSecond, lowestRequestsPerSecond: requestsPerSecond };
}

/** A visit of a shop sends about this many requests: robots.txt, home page, redirects, listing, five further pages. */
export const requestsPerVisit = 12;
/** Most requests of a lease. A visit that needs more has redirects without end, or robots.txt files of many hosts. */
export const maxRequestsPerLease = 40;
/** Turns that nobody took are kept for this time, so that a search for parked scans every 250 ms gives the whole rate. */
const visitBurstMs = 1_000;

/**
 * A parked scan that has its turn and is not leased within this time needs another turn when it is leased, and its target gives the
 * next turn. So visits do not begin at once when scanners return, and a workspace whose scans wait long does not stop a target.
 */
export const turnValidMs = 10_000;

export type Schedule = 'requests' | 'visits';

export interface Reservation {
  /** The slot of the reservation is at least the present time less this. */
  burstMs: number;
  /** A later slot is not taken. */
  maxWaitMs: number;
  /** The next slot comes this much later. */
  costMs: number;
  /** No reservation moves the schedule further than this after the present time. Later times are wrong and do not count. */
  maxAheadMs: number;
}

const perRequestMs = (requestsPerSecond: number) => 1_000 / requestsPerSecond;

export const requestOf = (
  { requestsPerSecond, lowestRequestsPerSecond }: PacingTarget,
  maxWaitMs: number,
): Reservation => ({
  burstMs: 0,
  maxWaitMs,
  costMs: perRequestMs(requestsPerSecond),
  maxAheadMs: maxWaitMs + perRequestMs(lowestRequestsPerSecond),
});

export const visitOf = ({ requestsPerSecond, lowestRequestsPerSecond }: PacingTarget): Reservation => ({
  burstMs: visitBurstMs,
  maxWaitMs: 0,
  costMs: requestsPerVisit * perRequestMs(requestsPerSecond),
  maxAheadMs: requestsPerVisit * perRequestMs(lowestRequestsPerSecond),
});

/** The slot that the next reservation gets, given the time of the schedule (undefined: never used); null: it is too late. */
export function slotOf(nextMs: number | undefined, nowMs: number, reservation: Reservation): number | null {
  const earliestMs = nowMs - reservation.burstMs;
  const isWrong = nextMs === undefined || nextMs > nowMs + reservation.maxAheadMs;
  const slotMs = isWrong ? earliestMs : Math.max(nextMs, earliestMs);
  return slotMs - nowMs <= reservation.maxWaitMs ? slotMs : null;
}
