import { type Address, hostNetworkOf, isWithin, type Network } from './address.ts';

/**
 * Pacing of requests to targets, over all scanners.
 *
 * - A target is a registrable domain, an address (IPv4, or a /64 of IPv6), or a platform. All addresses of a platform count as one target.
 * - Each request is charged to its domain and to each address that the scanner may connect to.
 * - A target has two schedules. Requests are spaced by its limit: at most `requestsPerSecond`, whatever the number of scans. Visits are
 *   spaced by the limit divided by {@link requestsPerVisit}, so that few scans wait for a request at the same time.
 * - Virtual scheduling (GCRA): a schedule is the time of its next slot. A reservation takes the slot and moves the time by its cost.
 */
export interface PacingTarget {
  key: string;
  requestsPerSecond: number;
  /** The lowest limit that the target can have. The limit of a domain depends on the addresses of the request. */
  lowestRequestsPerSecond: number;
}

export interface PacingLimits {
  /** The limits of a domain, and of an address that belongs to no platform. */
  domainRequestsPerSecond: number;
  addressRequestsPerSecond: number;
  platforms: readonly Platform[];
}

/** The networks of one operator, which share one limit. */
export interface Platform {
  name: string;
  networks: readonly Network[];
  requestsPerSecond: number;
  /** The limit of each domain that has an address of the platform. If absent, the general limit of domains applies. */
  domainRequestsPerSecond?: number | undefined;
}

/** Returns the targets of a request, or of a visit if the addresses of its domain are known. */
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
 * Returns the limit of a target of which only the key is known. A domain gets the lowest limit of all domains, because its addresses are
 * not known. Its turns may therefore come later than with {@link targetsOf}, and never earlier.
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

/** The usual number of requests of a visit of a shop: robots.txt, home page, redirects, listing, five further pages. */
export const requestsPerVisit = 12;
/** The maximum number of requests of a lease. A visit that needs more has endless redirects, or robots.txt files of many hosts. */
export const maxRequestsPerLease = 40;
/** Unused turns are kept for this time. A search for parked scans every 250 ms can therefore use the whole rate. */
const visitBurstMs = 1_000;

/**
 * After its turn, a parked scan must be leased within this time. Later it needs another turn, and its target gives turns to other scans.
 * Visits therefore do not begin at once when scanners return, and a workspace whose scans wait long does not block a target.
 */
export const turnValidMs = 10_000;

export type Schedule = 'requests' | 'visits';

export interface Reservation {
  /** The slot of the reservation is at least the current time minus this. */
  burstMs: number;
  /** A slot is not taken if the wait for it is longer than this. */
  maxWaitMs: number;
  /** The time between this slot and the next one. */
  costMs: number;
  /**
   * No reservation moves the schedule further than this beyond the current time, by any clock of the database. Later times are wrong and
   * are ignored.
   */
  maxAheadMs: number;
}

/**
 * Two primaries, or two routers of a sharded cluster, may have clocks that differ by this. A slot that the other clock gave is not wrong.
 * Otherwise the reservations of the slower clock would restart the schedule each time, and the target would have no limit.
 */
export const maxClockDifferenceMs = 30_000;

const perRequestMs = (requestsPerSecond: number) => 1_000 / requestsPerSecond;

export const requestOf = (
  { requestsPerSecond, lowestRequestsPerSecond }: PacingTarget,
  maxWaitMs: number,
): Reservation => ({
  burstMs: 0,
  maxWaitMs,
  costMs: perRequestMs(requestsPerSecond),
  maxAheadMs: maxClockDifferenceMs + maxWaitMs + perRequestMs(lowestRequestsPerSecond),
});

export const visitOf = ({ requestsPerSecond, lowestRequestsPerSecond }: PacingTarget): Reservation => ({
  burstMs: visitBurstMs,
  maxWaitMs: 0,
  costMs: requestsPerVisit * perRequestMs(requestsPerSecond),
  maxAheadMs: maxClockDifferenceMs + requestsPerVisit * perRequestMs(lowestRequestsPerSecond),
});

/** Returns the slot of the next reservation, or null if it is too late. `nextMs` is undefined if the schedule was never used. */
export function slotOf(nextMs: number | undefined, nowMs: number, reservation: Reservation): number | null {
  const earliestMs = nowMs - reservation.burstMs;
  const isWrong = nextMs === undefined || nextMs > nowMs + reservation.maxAheadMs;
  const slotMs = isWrong ? earliestMs : Math.max(nextMs, earliestMs);
  return slotMs - nowMs <= reservation.maxWaitMs ? slotMs : null;
}
