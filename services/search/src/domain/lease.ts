/** The right to do work that one instance does at a time. The clocks of instances differ by much less than the time of a lease. */
export interface Lease {
  holder: string;
  untilMs: number;
}

/** Whether the holder may work: the lease is free, has expired, or is its own. */
export const mayTake = (lease: Lease | null, holder: string, nowMs: number): boolean =>
  lease === null || lease.holder === holder || lease.untilMs <= nowMs;
