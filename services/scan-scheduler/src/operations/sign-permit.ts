import type { Scan } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The time from the end of a lease to the end of its permit. A scanner checks its lease directly before it publishes. The broker accepts
 * the observation within 5 s after that. The clocks of scanner and scheduler, and those of scheduler and broker, may differ by 10 s each.
 */
export const permitMarginMs = 30_000;

/** Returns the permit for the observation of a leased scan. Domain, scan and sequence are those of the lease. */
export const signPermit = (
  deps: Pick<Dependencies, 'signPermit'>,
  { id, domain, sequence }: Pick<Scan, 'id' | 'domain' | 'sequence'>,
  leaseExpiresAtMs: number,
): string => deps.signPermit({ scanId: id, domain, sequence }, leaseExpiresAtMs + permitMarginMs);
