import { dayMs, minuteMs, periodAt, secondMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { deriveId } from '@shopscope/ids';

/** A store of a watchlist that has a turn. */
export interface WaitingStore {
  domain: string;
  /** The latest turn. Before the first turn, the time at which the store was added. */
  turnAt: Date;
  /** The latest known observation or turn. 1970 if none is known. */
  observedAt: Date;
}

/** The rescan of one store in one turn. */
export interface Rescan {
  /** The id of the charge and of its scan. A repeated execution therefore finds both. */
  chargeId: string;
  workspaceId: string;
  watchlistId: string;
  domain: string;
  /** The key that pays. */
  keyId: string;
  /** `started`: it is unknown whether it was charged and requested. `requested`: a scan is requested or joined. */
  state: 'started' | 'requested';
  /**
   * Whether the store or the watchlist was removed, or the watchlist was paused or its rescans were switched off before the execution ended.
   * A scan that has not begun is canceled.
   */
  isWithdrawn: boolean;
  /** When the next attempt to cancel may begin. */
  withdrawAt: Date | null;
  /** Null until the scan is about to be requested. Nothing is billed before. */
  jobId: string | null;
  /** Whether a unit was billed for it. A scan that was in flight is joined, which is free. */
  isBilled: boolean;
  startedAt: Date;
  /** When another execution may begin. */
  retryAt: Date;
  attempts: number;
  /** The turn of the store before this one. A refused rescan restores it. */
  before: { turnAt: Date; observedAt: Date };
}

/** The maximum duration of one execution. Afterwards another one may begin. */
export const executionMs = 60 * secondMs;
/** A scan of a store that has failed, whoever asked for it. */
export interface ScanFailure {
  domain: string;
  scanId: string;
  code: string;
  endedAt: Date;
}

/** After this many consecutive failures with one reason, a store is not rescanned for {@link restMs}. */
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

/** Returns the beginning of the period whose budget the unit of the rescan belongs to. */
export const periodOf = ({ startedAt }: Pick<Rescan, 'startedAt'>): Date =>
  new Date(periodAt(startedAt.getTime()).startMs);

/**
 * Returns how a rescan ends that must not be requested any more, or undefined. If it has a job, an earlier execution may have been billed.
 * Such a rescan also continues in the next period.
 */
export function endOfUnbilled(
  { jobId, isWithdrawn, startedAt }: Pick<Rescan, 'jobId' | 'isWithdrawn' | 'startedAt'>,
  now: Date,
): 'canceled' | 'late' | undefined {
  const isOfEarlierPeriod = periodAt(now.getTime()).startMs > startedAt.getTime();
  if (isWithdrawn || (jobId === null && isOfEarlierPeriod)) return 'canceled';
  return now.getTime() - startedAt.getTime() > maxWaitMs ? 'late' : undefined;
}

/** The outcome of an execution of a rescan. */
export type Execution = { rescan: Rescan } & (
  | { outcome: 'billed'; jobId: string; billedAt: Date }
  | { outcome: 'joined'; jobId: string }
  /** The allowance is spent until this instant. Nothing was billed or requested. */
  | { outcome: 'refused'; until: Date }
  /** The key cannot pay any more. It is unknown whether the rescan was billed. */
  | { outcome: 'abandoned' }
  /** It was withdrawn before its scan began, or its period or its key has ended before it was billed. The unit is given back. */
  | { outcome: 'canceled' }
  /** It could not be requested in time. Nothing was billed. */
  | { outcome: 'late' }
  /** It was withdrawn, and its scan has begun, or others wait for it. */
  | { outcome: 'kept' }
  | { outcome: 'failed' }
);
