import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import type { Origin } from '@shopscope/telemetry';

/** A workspace's request for an observation of a domain. A `requested` job is a claim whose charge is not decided yet. */
export interface Job {
  id: string;
  workspaceId: string;
  chargeId: string;
  type: 'scan';
  /** The unit that the job bills. */
  unit: ScanUnit;
  refund: Refund;
  state: JobState;
  domain: string;
  /** Whether this is the one live job of a workspace and domain. False for followers and ended jobs. */
  holdsPlace: boolean;
  /** Whether another charge of the workspace has joined it. */
  isJoined: boolean;
  /** The scan that the job waits for. Null until the job is `queued`. */
  scanId: string | null;
  /** The lowest sequence of an observation that completes after the job has joined its scan. */
  minSequence: number;
  /** The number of counted leases for the job. */
  attempts: number;
  error: JobError | null;
  origin: Origin;
  createdAt: Date;
  /** The time of the claim, or of its latest repetition by the same charge. */
  claimedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** What a command on one job names: the id, and the workspace and domain, by which jobs are sharded. */
export type JobKey = Pick<Job, 'id' | 'workspaceId' | 'domain'>;

export type ScanUnit = 'lookup_live' | 'refresh_requested';

/**
 * Whether the unit of a canceled job is given back. `owed`: the job was canceled as a claim, which may never be billed. A later scan
 * request shows that the charge includes the job. Then the event is written, and the refund is `given`.
 */
export type Refund = 'none' | 'owed' | 'given';

/** Creates a claim: a job in its first state. */
export function requestedJob(
  claim: Pick<Job, 'id' | 'workspaceId' | 'chargeId' | 'domain' | 'unit' | 'holdsPlace' | 'origin'>,
  at: Date,
): Job {
  return {
    ...claim,
    type: 'scan',
    refund: 'none',
    state: 'requested',
    isJoined: false,
    scanId: null,
    minSequence: 0,
    attempts: 0,
    error: null,
    createdAt: at,
    claimedAt: at,
    startedAt: null,
    finishedAt: null,
  };
}

export interface JobError {
  code: string;
  message: string;
}

export const jobStates = ['requested', 'queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type JobState = (typeof jobStates)[number];

/** A job that has succeeded or failed. Other services get an event about each such end, and none about a canceled job. */
export type EndedJob = Job & { state: 'succeeded' | 'failed'; finishedAt: Date };
export type JobEnd = Pick<EndedJob, 'state' | 'error' | 'finishedAt'>;

/**
 * The state transitions of a job. A lost lease returns `running` to `queued`. A `queued` job may end without another run, if the
 * observation of a lost lease is merged later. A claim can be canceled before its request is consumed.
 */
export const transitions: Readonly<Record<JobState, readonly JobState[]>> = {
  requested: ['queued', 'canceled'],
  queued: ['running', 'succeeded', 'failed', 'canceled'],
  running: ['queued', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** Returns the states with a transition to `state`. Updates filter by them. */
export function statesLeadingTo(state: JobState): JobState[] {
  return jobStates.filter((from) => transitions[from].includes(state));
}

/** Returns the refund of a cancellation in this state. A running job stays billed. */
export function refundOf(state: JobState): Refund {
  if (state === 'requested') return 'owed';
  return state === 'queued' ? 'given' : 'none';
}

export const liveStates: readonly JobState[] = jobStates.filter((state) => transitions[state].length > 0);

/**
 * The maximum number of counted attempts per job. Interruptions within the grace period are not counted (schedule.ts). If the last attempt
 * is lost, the job fails.
 */
export const maxAttempts = 3;

/** claimed: a job of this charge. joined: a queued or running job of another charge. pending: a claim of another charge. */
export type ClaimOutcome = 'claimed' | 'joined' | 'pending';

export function claimOutcome(holder: Pick<Job, 'chargeId' | 'state'>, chargeId: string): ClaimOutcome {
  if (holder.chargeId === chargeId) return 'claimed';
  return holder.state === 'requested' ? 'pending' : 'joined';
}

/** The time in which an Idempotency-Key names one charge. Afterwards the key names a new charge with the same id. */
const idempotencyWindowMs = dayMs;

/** Whether the job belongs to an earlier charge of the same Idempotency-Key. The id of a permanent charge never names another one. */
export function isOfFormerCharge(
  { state, createdAt }: Pick<Job, 'state' | 'createdAt'>,
  { isPermanent, nowMs }: { isPermanent: boolean; nowMs: number },
): boolean {
  return !isPermanent && !liveStates.includes(state) && nowMs - createdAt.getTime() >= idempotencyWindowMs;
}

/** Returns the id of a charge's job. Each retry gets the same id; after a job of an earlier charge the id is another one. */
export function jobIdOf(chargeId: string, domain: string, former: Pick<Job, 'createdAt'> | undefined): string {
  return former
    ? deriveId('job', chargeId, domain, String(former.createdAt.getTime()))
    : deriveId('job', chargeId, domain);
}
