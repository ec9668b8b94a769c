import type { Environment, Handles, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { deriveId, newId } from '@shopscope/ids';
import { type BulkJobErrorCode, bulkJobErrors, chargeRetentionMs, type Units } from '@shopscope/proto';
import { scopesOf } from '@shopscope/store-search';
import { eventIdOf, type NewEvent, timeOf } from './event.ts';
import type { Export } from './export.ts';

/**
 * A job whose steps are billed one by one, by their stored results (decision 74). An enrichment answers the stores of a list, at most 100 in a
 * step. An export writes the stores of a search, at most 1,000 in a step.
 *
 * preparing → queued → running → succeeded | failed | canceled. A job that is canceled or fails while a stored step may be billed is
 * `canceling` or `failing` until such steps have ended. Calls see neither these states nor `preparing`.
 */
export interface BulkJob {
  id: string;
  workspaceId: string;
  type: 'enrich' | 'export';
  /** The lists that the job needs. The deletion of one cancels it. */
  listIds: readonly string[];
  /** Null of an enrichment. */
  export: Export | null;
  /** The key that pays. */
  keyId: string;
  refresh: boolean;
  /** The maximum number of units that the job may bill, of all kinds together. */
  maxUnits: number | null;
  state: BulkJobState;
  /** Of an export that has not succeeded, the number that a count shows. */
  total: number;
  done: number;
  failed: number;
  billed: BilledUnits;
  /** The steps whose results are stored and not shown yet, and their units. */
  stored: { steps: number; units: number };
  /** Why the stores that have no result yet will get an error, or why the export ends. Null while the job goes on. */
  refusal: Refusal | null;
  error: { code: 'internal' | Refusal; message: string } | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The job and its results are deleted at this time. Null while the job has not ended. */
  expiresAt: Date | null;
  /** The latest step that ended. */
  progressAt: Date;
  /** The request that started the job. */
  origin: { requestId: string; traceparent: string };
}

export type BulkJobState = 'preparing' | WorkingState | EndingState | 'succeeded' | 'failed' | 'canceled';

export const workingStates = ['queued', 'running'] as const;
type WorkingState = (typeof workingStates)[number];

export const endingStates = ['canceling', 'failing'] as const;
export type EndingState = (typeof endingStates)[number];
export const isEnding = (state: BulkJobState): state is EndingState => endingStates.some((ending) => ending === state);

/** How a job ends when none of its steps is stored any more. */
export function endingOf({ type, refusal }: Pick<BulkJob, 'type' | 'refusal'>, state: EndingState) {
  if (state === 'canceling') return { state: 'canceled', error: null } as const;
  const code = type === 'export' && refusal !== null ? refusal : 'internal';
  return { state: 'failed', error: { code, message: bulkJobErrors[code].message } } as const;
}

/** Why a store gets an error in place of a look-up. It is the reason of its result. An export ends with it. */
export type Refusal = Exclude<BulkJobErrorCode, 'internal'>;

export type BilledUnits = Pick<Units, 'lookupCached' | 'lookupLive' | 'historyQuery'>;
export const unitCount = ({ lookupCached, lookupLive, historyQuery }: BilledUnits): number =>
  lookupCached + lookupLive + historyQuery;

/** The scopes that the key of a job needs. */
export const scopesOfJob = ({ export: exported, refresh }: Pick<BulkJob, 'export' | 'refresh'>): string[] =>
  exported
    ? scopesOf(presentMembers(exported.query.where))
    : ['read:stores', 'read:watchlists', ...(refresh ? ['write:scans'] : [])];

/** A normalized query has `dropped` also when it is empty. */
const presentMembers = ({ dropped, ...where }: Export['query']['where']) => ({
  ...where,
  ...(dropped.length > 0 && { dropped }),
});

export interface JobRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

/** The id of the operation that starts a job, for the ledger. */
export const enrichOperation = 'enrichList';
/** The maximum number of stores of a job. They are counted while the caller waits. */
export const maxStoresPerJob = 250_000;
/** The maximum number of jobs of a workspace that have not ended. */
export const maxUnfinishedJobs = 20;
/** How long an ended job and its results are kept. */
export const jobRetentionDays = 30;
/** A job without progress fails after this time. */
export const maxStandstillDays = 7;
/** A job whose stored steps cannot ask for their charges ends after this time. metering then no longer knows the charges. */
export const maxEndingMs = chargeRetentionMs;

/** Throws for a list that is too large for a job. */
export function requireJobSize({ storeCount }: { storeCount: number }): void {
  if (storeCount <= maxStoresPerJob) return;
  const problem = `the list has ${storeCount} stores, and a job has at most ${maxStoresPerJob}; use several lists`;
  throw invalidField('list_id', problem);
}

/** Throws if the workspace has as many jobs that have not ended as it may have. `field` names the member of the request. */
export function requireJobPlace(unfinished: number, field: string): void {
  if (unfinished < maxUnfinishedJobs) return;
  throw invalidField(field, `the workspace has ${maxUnfinishedJobs} jobs that have not ended; wait for one`);
}

/** No id of a scan job has this letter. It shows which service owns a job. */
const ownerLetter = 'u';

export const newJobId = (nowMs: number): string => `job_${ownerLetter}${newId('job', nowMs).slice('job_'.length)}`;
export const isJobId = (text: string): boolean => /^job_u[0-9a-z]{1,60}$/.test(text);

/** A step has the same charge in every execution, so that it is billed once. */
export const stepChargeId = (environment: Environment, jobId: string, step: number): string =>
  deriveId('chg', 'bulk-job', environment, jobId, String(step));

/** The event of a job that has ended. */
export function jobFinishedEvent<E extends Environment>(tenant: Tenant<E>, job: BulkJob): NewEvent<E> {
  const { id, type, state, total, done, failed, finishedAt } = job;
  const finished_at = timeOf((finishedAt ?? job.progressAt).getTime());
  return {
    tenant,
    id: eventIdOf('job.finished', tenant, id),
    type: 'job.finished',
    watchlistIds: [],
    related: { type: 'job', id, path: `/v1/jobs/${id}` },
    data: JSON.stringify({ job_id: id, type, state, progress: { total, done, failed }, finished_at }),
  };
}
