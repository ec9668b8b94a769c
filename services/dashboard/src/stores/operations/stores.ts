/**
 * Look-ups and scans of people. They go through the API like every other request of the workspace, under the workspace's key
 * `Dashboard`, so its plan limits and bills them.
 *
 * - The token of a form and the domain make the id of an answer, which is the Idempotency-Key too. A form that is sent again, also
 *   concurrently or after a lost response, is billed once.
 * - Reading an answer calls nothing that bills.
 */

import { hash } from 'node:crypto';
import { AppError } from '@shopscope/errors';
import { type Job, JobState } from '@shopscope/proto';
import { requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type Store, storeSchema } from '../domain/store.ts';
import { parseDomain } from '../domain/store-domain.ts';
import type { StoreLookup } from '../outbound/store-lookups.ts';
import { enrich } from './enrich.ts';
import { readUnseenStore, type UnseenStore } from './unseen-store.ts';

/** A kept answer, as pages show it. */
export interface LookupView extends Omit<StoreLookup, 'store'> {
  store: Store | undefined;
}

export type ScanView = ReturnType<typeof toScan>;

/** What a form sends: the domain, and a token that the form was made with. */
export interface StoreForm {
  domain: string;
  token: string;
}

const maxLatest = 10;
const idPattern = /^[\w-]{22}$/;
const jobIdPattern = /^job_[0-9a-z]{1,60}$/;

const answerOnce = async (deps: Dependencies, visit: WorkspaceVisit, kind: StoreLookup['kind'], form: StoreForm) => {
  const { workspaceId } = visit.membership;
  const domain = parseDomain('domain', form.domain);
  requireFormToken(form.token);
  const id = idOf(workspaceId, kind, form.token, domain);
  const kept = await deps.lookups.find(workspaceId, id, deps.clock.now());
  if (kept) return kept;
  const input = { domains: [domain], refresh: kind === 'scan', idempotencyKey: `dashboard-${id}` };
  const { billed, results } = await enrich(deps, visit, input);
  const [result] = results;
  if (!result) throw new AppError('internal', 'The API gave no result.');
  const lookup: StoreLookup = {
    ...{ id, kind, domain, billed, atMs: deps.clock.now() },
    match: result.match,
    scanJobId: result.scanJobId,
    store: result.store ? JSON.stringify(result.store) : null,
  };
  await deps.lookups.keep(workspaceId, lookup);
  return lookup;
};

/**
 * The canonical domain in what a person or a link names. Not called by pages directly: the bundle has an own copy of AppError, which
 * the server would not recognise.
 */
export const domainOf = (_deps: Dependencies, text: string): string => parseDomain('domain', text);

/** Looks a domain up. Returns where its answer is kept. */
export const lookUp = (deps: Dependencies, visit: WorkspaceVisit, form: StoreForm) =>
  answerOnce(deps, visit, 'lookup', form);

/**
 * Asks for a scan of a domain. A scan of the workspace that is not finished is joined, and bills nothing. No job: the profile
 * has become fresh meanwhile.
 */
export const requestScan = (deps: Dependencies, visit: WorkspaceVisit, form: StoreForm) =>
  answerOnce(deps, visit, 'scan', form);

/** Throws `not_found` for an answer of another workspace or domain, and for one that is no longer kept. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, domain: string, id: string): Promise<LookupView> {
  const { workspaceId } = visit.membership;
  const found = idPattern.test(id) ? await deps.lookups.find(workspaceId, id, deps.clock.now()) : undefined;
  if (!found || found.domain !== domain) throw noSuchLookup();
  if (found.store === null) return { ...found, store: undefined };
  // An earlier version may have kept it.
  const kept = storeSchema.safeParse(JSON.parse(found.store));
  return kept.success ? { ...found, store: kept.data } : { ...found, match: 'unreadable', store: undefined };
}

/** Why scans that nobody asks for leave the store alone; undefined when they do not. */
export const unseen = (deps: Dependencies, visit: WorkspaceVisit, domain: string): Promise<UnseenStore | undefined> =>
  readUnseenStore(deps, parseDomain('domain', domain), visit.origin);

export const latest = (deps: Dependencies, { membership }: WorkspaceVisit): Promise<Omit<StoreLookup, 'store'>[]> =>
  deps.lookups.latest(membership.workspaceId, maxLatest, deps.clock.now());

/** Throws `not_found` for a scan of another workspace. */
export async function scan(deps: Dependencies, visit: WorkspaceVisit, jobId: string) {
  if (!jobIdPattern.test(jobId)) throw noSuchScan();
  const { workspaceId } = visit.membership;
  return toScan(await deps.scans.getJob(workspaceId, jobId, visit.origin));
}

/** 132 bits of a hash. The length of each part is in it, so that different parts never collide. */
function idOf(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

const states = new Map<JobState, 'running' | 'succeeded' | 'failed' | 'canceled'>([
  [JobState.RUNNING, 'running'],
  [JobState.SUCCEEDED, 'succeeded'],
  [JobState.FAILED, 'failed'],
  [JobState.CANCELED, 'canceled'],
]);

const toScan = (job: Job) => ({
  id: job.id,
  domain: job.domain,
  // A job that is only requested is queued for people, as in the API.
  state: states.get(job.state) ?? ('queued' as const),
  attempts: job.attempts,
  /** In words; empty without a failure. */
  failure: job.errorMessage,
  createdAtMs: job.createdAtMs,
  startedAtMs: job.startedAtMs,
  finishedAtMs: job.finishedAtMs,
});

const noSuchLookup = () =>
  new AppError('not_found', 'There is no such look-up in this workspace. Answers are kept for 7 days.');

const noSuchScan = () => new AppError('not_found', 'There is no such scan in this workspace.');
