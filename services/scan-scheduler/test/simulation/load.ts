import { dayMs } from '@shopscope/clock';
import { seededRandom } from '@shopscope/testing/random';

/**
 * The requests of the simulated workspaces, and the responses of the simulated stores. The seed determines all of them.
 */
export interface LoadOptions {
  seed: number;
  domains: number;
  workspaces: number;
  requestsPerDay: number;
}

export type VisitResult = 'observed' | 'abandoned' | 'lease_lost';
/** Exponent of the demand by rank: the largest workspace asks for a seventh of all scans, the smallest for some sixty a day. */
const demandExponent = 1.1;
/** Requests per list of domains: large workspaces send lists, small ones single domains. */
const listsPerDay = 40;
const maxListLength = 50_000;
/** Domains that many workspaces ask for, and their share of the requests. */
const popularDomains = 1_000;
const popularShare = 0.1;
const leaseMs = 30_000;

export type Load = ReturnType<typeof createLoad>;

export function createLoad({ seed, domains, workspaces, requestsPerDay }: LoadOptions) {
  // Requests and visits have random numbers of their own, so that every order of leases meets the same requests.
  const random = seededRandom(seed);
  const visitRandom = seededRandom(seed + 1);
  const weights = Array.from({ length: workspaces }, (_, rank) => (rank + 1) ** -demandExponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const perDay = weights.map((weight) => (requestsPerDay * weight) / sum);
  const listLength = perDay.map((count) => Math.min(maxListLength, Math.max(1, Math.round(count / listsPerDay))));

  return {
    /** Requests of the workspace in a day, on average. */
    perDay: (workspace: number) => perDay[workspace] as number,
    /** Time until the next list of the workspace: lists arrive independently of each other. */
    pauseMs(workspace: number): number {
      const meanMs = (dayMs * (listLength[workspace] as number)) / (perDay[workspace] as number);
      return Math.round(-Math.log(1 - random()) * meanMs);
    },
    listLength: (workspace: number) => Math.ceil((0.5 + random()) * (listLength[workspace] as number)),
    domain: () => Math.floor(random() * (random() < popularShare ? Math.min(popularDomains, domains) : domains)),
    /** How a visit ends and how long it takes. Each domain is always of the same kind. */
    visit(domain: number): { durationMs: number; result: VisitResult } {
      const between = (fromMs: number, toMs: number) => Math.round(fromMs + visitRandom() * (toMs - fromMs));
      const kind = fractionOf(domain);
      // The scanner cannot carry out the scan, or the process ends: always, or every other time.
      if (kind < 0.01) return { durationMs: leaseMs, result: 'lease_lost' };
      if (kind < 0.03) return { durationMs: between(500, 5_000), result: 'abandoned' };
      if (kind < 0.08)
        return { durationMs: between(500, 5_000), result: visitRandom() < 0.5 ? 'abandoned' : 'observed' };
      // A store that does not respond, which is an observation too; a slow store; the others.
      if (kind < 0.18) return { durationMs: between(10_000, 12_000), result: 'observed' };
      if (kind < 0.3) return { durationMs: between(8_000, 30_000), result: 'observed' };
      return { durationMs: between(500, 3_500), result: 'observed' };
    },
  };
}

/** A number from 0 to 1 that depends on the domain alone. */
function fractionOf(domain: number): number {
  let hash = Math.imul(domain + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
