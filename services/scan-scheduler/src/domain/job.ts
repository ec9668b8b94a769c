import { deriveId } from '@shopscope/ids';

/** A workspace's request for an observation of a domain. `requested` is a claim whose charge is not decided yet. */
export interface Job {
  id: string;
  workspaceId: string;
  chargeId: string;
  type: 'scan';
  state: JobState;
  domain: string;
  /** Holds the workspace's place for the domain: at most one job at a time does, until it ends. Followers do not. */
  holdsPlace: boolean;
  /** The physical scan that the job waits for, from `queued` on. */
  scanId: string | null;
  /** The lowest sequence of an observation that completes after the job joined its scan. */
  minSequence: number;
  /** Leases that were given for the job. */
  attempts: number;
  error: JobError | null;
  origin: JobOrigin;
  createdAt: Date;
  /** Of the claim, or of its latest repetition by the same charge. */
  claimedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface JobError {
  /** Closed code. */
  code: string;
  message: string;
}

export interface JobOrigin {
  requestId: string;
  traceparent: string;
}

export const jobStates = ['requested', 'queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type JobState = (typeof jobStates)[number];
export type EndState = 'succeeded' | 'failed' | 'canceled';

/**
 * Every move a job can make. `running` goes back to `queued` when its lease is lost; `queued` may end without running
 * again, when the observation of a lost lease is merged after all.
 */
export const moves: Readonly<Record<JobState, readonly JobState[]>> = {
  requested: ['queued'],
  queued: ['running', 'succeeded', 'failed', 'canceled'],
  running: ['queued', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** The states from which a job may move to `state`: what an update that moves it filters by. */
export function statesBefore(state: JobState): JobState[] {
  return jobStates.filter((from) => moves[from].includes(state));
}

/** States from which a job still moves. */
export const liveStates: readonly JobState[] = jobStates.filter((state) => moves[state].length > 0);

/** Leases that a job gets at most; the loss of the last one ends it. */
export const maxAttempts = 3;

/** How another charge of the workspace, or the same one, finds a domain that it wants to claim. */
export type ClaimOutcome = 'claimed' | 'joined' | 'pending';

export function claimOutcome(holder: Pick<Job, 'chargeId' | 'state'>, chargeId: string): ClaimOutcome {
  if (holder.chargeId === chargeId) return 'claimed';
  return holder.state === 'requested' ? 'pending' : 'joined';
}

/** An Idempotency-Key names the same charge this long; the next charge of that key has the same id. */
const chargeWindowMs = 24 * 60 * 60 * 1000;

/** True when the job was another charge's, of a time when the key behind the charge id still named that one. */
export function isOfFormerCharge({ state, createdAt }: Pick<Job, 'state' | 'createdAt'>, nowMs: number): boolean {
  return !liveStates.includes(state) && nowMs - createdAt.getTime() >= chargeWindowMs;
}

/** The id of a charge's job: the same for each retry, and a new one after the job of a former charge. */
export function jobIdOf(chargeId: string, domain: string, former: Pick<Job, 'createdAt'> | undefined): string {
  return former
    ? deriveId('job', chargeId, domain, String(former.createdAt.getTime()))
    : deriveId('job', chargeId, domain);
}
