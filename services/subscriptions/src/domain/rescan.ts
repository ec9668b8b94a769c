import { dayMs, minuteMs, periodAt, secondMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { deriveId } from '@shopscope/ids';

/** A store of a watchlist that has a turn. */
export interface WaitingStore {
  domain: string;
  /** The latest turn, or the addition. */
  turnAt: Date;
  /** The latest observation or turn that is known. 1970: none is. */
  observedAt: Date;
}

/** The rescan of one store in one turn. */
export interface Rescan {
  /** It names the charge and its scan. A repeated execution therefore finds both. */
  chargeId: string;
  workspaceId: string;
  watchlistId: string;
  domain: string;
  /** The key that pays. */
  keyId: string;
  /** `started`: it may be charged and requested, or not. `requested`: a scan is requested or joined. */
  state: 'started' | 'requested';
  /** The store or the watchlist was removed, or the watchlist has no rescans any more. A scan that has not begun is canceled. */
  isWithdrawn: boolean;
  /** When the cancellation may be tried. */
  withdrawAt: Date | null;
  /** Null until the scan is about to be requested. Nothing is billed before. */
  jobId: string | null;
  /** Whether a unit was billed for it. A scan that was in flight is joined, which is free. */
  isBilled: boolean;
  startedAt: Date;
  /** When another execution may begin. */
  retryAt: Date;
  attempts: number;
  /** The turn of the store before this one. A refused rescan gives the place back. */
  before: { turnAt: Date; observedAt: Date };
}

/** The longest time of one execution. Afterwards another one may begin. */
export const executionMs = 60 * secondMs;
/** A scan of a store that has failed, whoever asked for it. */
export interface ScanFailure {
  domain: string;
  scanId: string;
  code: string;
  endedAt: Date;
}

/** Failures of one reason after which no turn of a store becomes a rescan, for {@link restMs}. */
export const failuresBeforeRest = 3;
export const restMs = 30 * dayMs;

/** Rescans of a watchlist that wait for an outage at the same time. More turns are not taken. */
export const maxWaiting = 3;
/** A rescan that cannot be requested for this time is left out. */
const maxWaitMs = dayMs;
const retryPauseMs = { first: 30 * secondMs, max: 10 * minuteMs } as const;

export function newRescan(
  tenant: Tenant<Environment>,
  { watchlistId, keyId, turn }: { watchlistId: string; keyId: string; turn: number },
  { domain, turnAt, observedAt }: WaitingStore,
  now: Date,
): Rescan {
  const { environment, workspaceId } = tenant;
  return {
    chargeId: deriveId('chg', 'rescan', environment, workspaceId, watchlistId, domain, String(turn)),
    workspaceId,
    watchlistId,
    domain,
    keyId,
    state: 'started',
    isWithdrawn: false,
    withdrawAt: null,
    jobId: null,
    isBilled: false,
    startedAt: now,
    retryAt: new Date(now.getTime() + executionMs),
    attempts: 0,
    before: { turnAt, observedAt },
  };
}

export const nextRetry = ({ attempts }: Pick<Rescan, 'attempts'>, now: Date): Date =>
  new Date(now.getTime() + Math.min(retryPauseMs.max, retryPauseMs.first * 2 ** attempts));

/** The beginning of the period whose budget has the unit of the rescan. */
export const periodOf = ({ startedAt }: Pick<Rescan, 'startedAt'>): Date =>
  new Date(periodAt(startedAt.getTime()).startMs);

/** How a rescan ends that must not be billed any more. Undefined: it may be billed, or may be billed already. */
export function endOfUnbilled(
  { jobId, isWithdrawn, startedAt }: Pick<Rescan, 'jobId' | 'isWithdrawn' | 'startedAt'>,
  now: Date,
): 'canceled' | 'late' | undefined {
  if (jobId !== null) return undefined;
  if (isWithdrawn || periodAt(now.getTime()).startMs > startedAt.getTime()) return 'canceled';
  return now.getTime() - startedAt.getTime() > maxWaitMs ? 'late' : undefined;
}

/** What an execution of a rescan has done. */
export type Execution = { rescan: Rescan } & (
  | { outcome: 'billed'; jobId: string; billedAt: Date }
  | { outcome: 'joined'; jobId: string }
  /** The allowance is spent until then. Nothing was billed or requested. */
  | { outcome: 'refused'; until: Date }
  /** The key cannot pay any more. It is unknown whether the rescan was billed. */
  | { outcome: 'abandoned' }
  /** It was withdrawn before its scan began, or its period has ended before it was billed. The unit is given back. */
  | { outcome: 'canceled' }
  /** It could not be requested in time. Nothing was billed or requested. */
  | { outcome: 'late' }
  /** The store was removed, and its scan has begun, or others wait for it. */
  | { outcome: 'kept' }
  | { outcome: 'failed' }
);
