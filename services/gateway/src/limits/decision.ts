/** The limits of a key, from its plan. */
export interface Limits {
  /** Requests per minute. */
  rpm: number;
  /** Simultaneous requests. */
  concurrency: number;
}

export type AdmitOutcome = 'admitted' | 'rate_limited' | 'concurrency_limited';

/** Whether a request is admitted, and what its key has left. */
export interface AdmissionDecision {
  outcome: AdmitOutcome;
  /** Requests left in this minute. */
  remaining: number;
  /** Seconds until the minute ends, 1 to 60. */
  resetSeconds: number;
  /** Monotonic time in ms before which the minute of the decision does not end. Undefined: Redis did not decide. */
  lastsUntilMs?: number;
  /** Releases the concurrency slot. Does nothing when the request was not admitted. */
  release(): void;
}
