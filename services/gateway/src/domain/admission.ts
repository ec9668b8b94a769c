/** What a key's plan allows at a time. */
export interface Limits {
  /** Requests per minute. */
  rpm: number;
  /** Simultaneous requests. */
  concurrency: number;
}

export type AdmitOutcome = 'admitted' | 'rate_limited' | 'concurrency_limited';

/** Whether a request may go on, and what its key has left. */
export interface Decision {
  outcome: AdmitOutcome;
  /** Requests left in the minute. */
  remaining: number;
  /** Seconds until the minute ends, 1 to 60. */
  resetSeconds: number;
  /** Gives the slot back; nothing to give when the request was not admitted. */
  release(): void;
}
