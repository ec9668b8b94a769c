/**
 * The clients' history: what they have sent and received. The checker compares it with the databases. Nothing in it comes from logs or
 * metrics of the services. Instants are on the monotonic clock of this process, in ms.
 */
export interface Units {
  lookupCached: number;
  lookupLive: number;
  /** Absent if there are none. */
  refreshRequested?: number;
  /** Absent if there are none. */
  historyQuery?: number;
}

/**
 * The kind of an operation. The names of these kinds need an explanation:
 *
 * - `queued`: it is sent with the revoked key to a gateway that is suspended.
 * - `crowd`: it is sent by one of many workspaces. `scarce`: it is sent by one of them whose allowance is small.
 * - `history`, `search`: it reads signals.
 * - `scan`: it asks for an explicit scan. `cancel`: it cancels a job that a `refresh` or a `scan` has returned.
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
  /** Only operations with an Idempotency-Key are retried. */
  idempotencyKey: string | null;
  /** The units that the operation bills if it was executed and the response was lost. */
  mayBill: Units;
  attempts: Attempt[];
}

export interface Attempt {
  gateway: number;
  startMs: number;
  endMs: number;
  /** The wall-clock time minus the monotonic time at the end, in ms. The wall clock can step during a run. */
  wallOffsetMs: number;
  /** `refused`: the connection was refused, so nothing was sent. `unknown`: no complete response was received. */
  outcome: 'ok' | 'fail' | 'refused' | 'unknown';
  status: number;
  /** The code of the error. */
  code: string;
  /** The seconds of the header Retry-After, or null without the header. */
  retryAfterS: number | null;
  billed: Units;
  jobs: { id: string; domain: string }[];
  /** The job in the response to a `cancel`. */
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

/** Returns the attempt that decides an operation: the first one with a 2xx response, otherwise the last one. */
export function resultOf({ attempts }: Operation): Attempt | undefined {
  return attempts.find(({ outcome }) => outcome === 'ok') ?? attempts.at(-1);
}

export const unitNames = ['lookupCached', 'lookupLive', 'refreshRequested', 'historyQuery'] as const;

/** Whether two amounts are equal. An absent unit counts as 0. */
export const areEqual = (a: Units, b: Units): boolean => unitNames.every((name) => (a[name] ?? 0) === (b[name] ?? 0));

/** Returns the sum of two amounts. Optional units are left out if there are none. */
export function sumOf(a: Partial<Units>, b: Partial<Units>): Units {
  const sums = unitNames.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)] as const);
  return { ...noUnits, ...Object.fromEntries(sums.filter(([, sum]) => sum !== 0)) };
}

/** Whether the outcome is unknown: no attempt succeeded, and an attempt got no response. */
export function isUnknown(operation: Operation): boolean {
  return (
    !operation.attempts.some(({ outcome }) => outcome === 'ok') &&
    operation.attempts.some(({ outcome }) => outcome === 'unknown')
  );
}
