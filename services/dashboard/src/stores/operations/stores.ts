/**
 * Look-ups and scans that people request. They go through the API like every other request of the workspace, with the workspace's key
 * `Dashboard`. The plan of the workspace therefore limits and bills them.
 *
 * - The id of an answer is made of the domain and the token of the form. It is also the Idempotency-Key. A form that is sent again, even
 *   concurrently or after a lost response, is billed once.
 * - Reading an answer makes no billed call.
 */

import { AppError } from '@shopscope/errors';
import { type Job, JobState } from '@shopscope/proto';
import { derivedId, isDerivedId } from '../../app/domain/derived-id.ts';
import { requireFormToken } from '../../app/domain/text.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type Store, storeSchema } from '../domain/store.ts';
import { parseDomain } from '../domain/store-domain.ts';
import type { StoreLookup } from '../outbound/store-lookups.ts';
import { enrich } from './enrich.ts';
import { readUnseenStore } from './unseen-store.ts';

/** A stored answer, as pages show it. */
export interface LookupView extends Omit<StoreLookup, 'store'> {
  store: Store | undefined;
}

export type ScanView = ReturnType<typeof toScan>;

/** The data of a form: the domain, and a token that was created with the form. */
export interface StoreForm {
  domain: string;
  token: string;
}

const maxLatest = 10;
const jobIdPattern = /^job_[0-9a-z]{1,60}$/;

const lookupsOf = (deps: Dependencies, { origin }: WorkspaceVisit) => deps.lookups[origin.environment];

const answerOnce = async (deps: Dependencies, visit: WorkspaceVisit, kind: StoreLookup['kind'], form: StoreForm) => {
  const keeper = keeperOf(visit);
  const lookups = lookupsOf(deps, visit);
  const domain = parseDomain('domain', form.domain);
  requireFormToken(form.token);
  const id = derivedId(keeper, kind, form.token, domain);
  const kept = await lookups.find(keeper, id, deps.clock.now());
  if (kept) return kept;
  const input = { domains: [domain], refresh: kind === 'scan', idempotencyKey: `dashboard-${id}` };
  const { billed, results } = await enrich(deps, visit, input);
  const [result] = results;
  if (!result) throw new AppError('internal', 'The API gave no result.');
  const lookup: StoreLookup = {
    id,
    kind,
    domain,
    billed,
    atMs: deps.clock.now(),
    match: result.match,
    scanJobId: result.scanJobId,
    store: result.store ? JSON.stringify(result.store) : null,
  };
  await lookups.keep(keeper, lookup);
  return lookup;
};

/**
 * The canonical domain of a text from a person or a link. Pages must not call parseDomain directly: the bundle has its own copy of
 * AppError, which the server would not recognise.
 */
export const domainOf = (_deps: Dependencies, text: string): string => parseDomain('domain', text);

/** Looks up a domain. Returns the place of the stored answer. */
export const lookUp = (deps: Dependencies, visit: WorkspaceVisit, form: StoreForm) =>
  answerOnce(deps, visit, 'lookup', form);

/**
 * Requests a scan of a domain. If the workspace has an unfinished scan of it, that scan is returned and nothing is billed. No job is
 * returned if the profile has become fresh meanwhile.
 */
export const requestScan = (deps: Dependencies, visit: WorkspaceVisit, form: StoreForm) =>
  answerOnce(deps, visit, 'scan', form);

/** Throws `not_found` if the answer belongs to another workspace or domain, or is no longer stored. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, domain: string, id: string): Promise<LookupView> {
  const found = isDerivedId(id) ? await lookupsOf(deps, visit).find(keeperOf(visit), id, deps.clock.now()) : undefined;
  if (!found || found.domain !== domain) throw noSuchLookup();
  if (found.store === null) return { ...found, store: undefined };
  // An earlier version of this service may have stored it.
  const kept = storeSchema.safeParse(JSON.parse(found.store));
  return kept.success ? { ...found, store: kept.data } : { ...found, match: 'unreadable', store: undefined };
}

/** The reason why automatic scans skip the store; undefined if they do not skip it. No automatic scan visits a test store. */
export async function unseen(deps: Dependencies, { origin }: WorkspaceVisit, domain: string) {
  const canonical = parseDomain('domain', domain);
  return origin.environment === 'live' ? readUnseenStore(deps, canonical, origin) : undefined;
}

export const latest = (deps: Dependencies, visit: WorkspaceVisit): Promise<Omit<StoreLookup, 'store'>[]> =>
  lookupsOf(deps, visit).latest(keeperOf(visit), maxLatest, deps.clock.now());

/** Throws `not_found` if the scan belongs to another workspace. */
export async function scan(deps: Dependencies, visit: WorkspaceVisit, jobId: string) {
  if (!jobIdPattern.test(jobId)) throw noSuchScan();
  const { workspaceId } = visit.membership;
  return toScan(await deps.scans.getJob(workspaceId, jobId, visit.origin));
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
  // A job that is only requested is shown to people as queued, as in the API.
  state: states.get(job.state) ?? ('queued' as const),
  attempts: job.attempts,
  /** A text for people; empty if the job did not fail. */
  failure: job.errorMessage,
  createdAtMs: job.createdAtMs,
  startedAtMs: job.startedAtMs,
  finishedAtMs: job.finishedAtMs,
});

const noSuchLookup = () =>
  new AppError('not_found', 'There is no such look-up in this workspace. Answers are kept for 7 days.');

const noSuchScan = () => new AppError('not_found', 'There is no such scan in this workspace.');
