import { invalidField } from '@shopscope/errors';
import { isIdentifier } from '@shopscope/ids';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { listJobsQuery } from './contract.ts';
import type { JobBody } from './job-body.ts';
import { type JobClients, type JobOwner, jobOwners } from './job-owners.ts';
import type { Page } from './jobs.ts';
import { type JobPosition, mergeJobs } from './merge-jobs.ts';

/**
 * The jobs of the workspace, from all services that own jobs.
 *
 * - Pages are ordered by creation time, newest first, then by id. Both never change. A cursor holds one position per owner, and belongs to
 *   the workspace, its environment and the filters.
 * - An owner does not respond -> the request fails. A page without its jobs would look complete.
 */
type ListQuery = z.output<typeof listJobsQuery>;

type PageDependencies = JobClients & Pick<Dependencies, 'cursors'>;

export async function pageOfJobs(
  deps: PageDependencies,
  request: CallerRequest,
  query: ListQuery,
): Promise<Page<JobBody>> {
  if (query.ids.length > 0) return { data: await jobsWithIds(deps, request, query), next_cursor: null };
  const { data, next_cursor } = await readJobs(deps, request, query);
  return { data, next_cursor };
}

/** Reads a page without ids. `cursorAfter` returns the cursor that continues after the first `count` jobs of the page. */
export async function readJobs(
  { cursors, ...deps }: PageDependencies,
  request: CallerRequest,
  { state, type, cursor, limit }: Omit<ListQuery, 'ids'>,
): Promise<Page<JobBody> & { cursorAfter(count: number): string }> {
  const { workspaceId, keyEnvironment } = request.caller;
  const bound = ['jobs', keyEnvironment, workspaceId, state ?? '', type ?? ''];
  const positions = cursor === undefined ? [] : positionsOf(cursors.verify(bound, cursor));
  const pageOf = async (owner: JobOwner, after: JobPosition | undefined) =>
    type === undefined || owner.hasType(type)
      ? { after, ...(await owner.list(deps, request, { state, type, ids: [], after, limit })) }
      : { after, rows: [], hasMore: false };
  const pages = await Promise.all(jobOwners.map((owner, index) => pageOf(owner, positions[index])));
  const { rows, hasMore, positionsAfter } = mergeJobs(pages, limit);
  const cursorAfter = (count: number) => cursors.sign(bound, positionsAfter(count).map(textOf).join('|'));
  return {
    data: rows.map(({ body }) => body),
    next_cursor: hasMore ? cursorAfter(rows.length) : null,
    cursorAfter,
  };
}

/** Returns the jobs in the order of the ids. Unknown ones are left out. */
export async function jobsWithIds(
  deps: JobClients,
  request: CallerRequest,
  query: Pick<ListQuery, 'ids'> & Partial<ListQuery>,
): Promise<JobBody[]> {
  for (const name of ['state', 'type', 'cursor'] as const) {
    if (query[name] !== undefined) throw invalidField(name, 'cannot be given with ids');
  }
  // No job has another id, and its owner would refuse it.
  const distinct = [...new Set(query.ids)].filter(isIdentifier);
  const pages = await Promise.all(
    jobOwners.map(async (owner) => {
      const ids = distinct.filter(owner.owns);
      if (ids.length === 0) return [];
      const page = { state: undefined, type: undefined, after: undefined, ids, limit: ids.length };
      return (await owner.list(deps, request, page)).rows;
    }),
  );
  const bodies = new Map(pages.flat().map(({ id, body }) => [id, body]));
  return query.ids.flatMap((id) => bodies.get(id) ?? []);
}

const textOf = (position: JobPosition | undefined) => (position ? `${position.createdAtMs} ${position.id}` : '');

function positionsOf(text: string): (JobPosition | undefined)[] {
  return text.split('|').map((each) => {
    const [createdAtMs = '', id = ''] = each.split(' ');
    return each === '' ? undefined : { createdAtMs: Number(createdAtMs), id };
  });
}
