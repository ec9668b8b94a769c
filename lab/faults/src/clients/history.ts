/**
 * The clients' history: what they sent and received. The checker compares it with the databases. Nothing in it comes from
 * the services' own logs or metrics. Instants are ms on this process's monotonic clock.
 */
export interface Units {
  lookupCached: number;
  lookupLive: number;
  /** Absent: none. */
  refreshRequested?: number;
  historyQuery?: number;
}

/**
 * `queued`: sent under the revoked key to a gateway while it is suspended. `crowd`: by one of many workspaces. `scarce`: by one of
 * them whose allowance is small. `history`, `search`: of signals. `scan`: an explicit scan. `cancel`: of a job that a `refresh` or `scan` returned.
 */
export type OperationKind =
  | 'look-up'
  | 'enrich'
  | 'refresh'
  | 'scan'
  | 'history'
  | 'search'
  | 'cancel'
  | 'account'
  | 'rate-limited'
  | 'small-allowance'
  | 'revoked'
  | 'queued'
  | 'low-concurrency'
  | 'crowd'
  | 'scarce';

export interface Operation {
  id: number;
  kind: OperationKind;
  workspaceId: string;
  keyId: string;
  /** Only operations that carry one are retried. */
  idempotencyKey: string | null;
  /** What the operation would bill if it was executed without a response. */
  mayBill: Units;
  attempts: Attempt[];
}

export interface Attempt {
  gateway: number;
  startMs: number;
  endMs: number;
  /** Wall-clock time minus monotonic time at the end, ms. The wall clock can step during a run. */
  wallOffsetMs: number;
  /** `refused`: no connection, so nothing was sent. `unknown`: sent, and no complete response was received. */
  outcome: 'ok' | 'fail' | 'refused' | 'unknown';
  status: number;
  /** Code of the error. */
  code: string;
  /** Seconds of the header Retry-After; null without it. */
  retryAfterS: number | null;
  billed: Units;
  jobs: { id: string; domain: string }[];
  /** The job of a response to `cancel`. */
  canceled?: CanceledJob;
  replayed: boolean;
}

export interface CanceledJob {
  id: string;
  state: string;
  /** Whether the response says that the job stays billed. */
  isBilled: boolean;
}

export const noUnits: Units = { lookupCached: 0, lookupLive: 0 };

/** The operation's result: its first 2xx response, else its last attempt. */
export function resultOf({ attempts }: Operation): Attempt | undefined {
  return attempts.find(({ outcome }) => outcome === 'ok') ?? attempts.at(-1);
}

export const unitNames = ['lookupCached', 'lookupLive', 'refreshRequested', 'historyQuery'] as const;

/** Amounts are equal when absent units are none. */
export const areEqual = (a: Units, b: Units): boolean => unitNames.every((name) => (a[name] ?? 0) === (b[name] ?? 0));

/** Units of the optional kinds are left out when there are none. */
export function sumOf(a: Partial<Units>, b: Partial<Units>): Units {
  const sums = unitNames.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)] as const);
  return { ...noUnits, ...Object.fromEntries(sums.filter(([, sum]) => sum !== 0)) };
}

/** True when an attempt got no response and no attempt succeeded. */
export function isUnknown(operation: Operation): boolean {
  return (
    !operation.attempts.some(({ outcome }) => outcome === 'ok') &&
    operation.attempts.some(({ outcome }) => outcome === 'unknown')
  );
}
