/** The limits of a key, from its plan. */
export interface Limits {
  /** The maximum number of requests per minute. */
  rpm: number;
  /** The maximum number of concurrent requests. */
  concurrency: number;
}

export type AdmitOutcome = 'admitted' | 'rate_limited' | 'concurrency_limited';

/** The decision about a request, and the rest of its key's limits. */
export interface AdmissionDecision {
  outcome: AdmitOutcome;
  /** The number of requests left in this minute. */
  remaining: number;
  /** The seconds until the minute ends, from 1 to 60. */
  resetSeconds: number;
  /** Monotonic time in ms before which the minute of the decision does not end. Undefined if Redis did not decide. */
  lastsUntilMs?: number;
  /** Releases the concurrency slot. Does nothing when the request was not admitted. */
  release(): void;
}
