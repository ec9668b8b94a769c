import type { JobBody } from './job-body.ts';

/** A job in the order of lists: by creation time, then by id, the newest first. */
export interface JobRow {
  createdAtMs: number;
  id: string;
  body: JobBody;
}

/** The job that an owner's part of a list continues after. */
export type JobPosition = Pick<JobRow, 'createdAtMs' | 'id'>;

/** The next jobs of one owner after its position. */
export interface OwnedJobs {
  rows: readonly JobRow[];
  hasMore: boolean;
  after: JobPosition | undefined;
}

const isNewer = (a: JobPosition, b: JobPosition): boolean =>
  a.createdAtMs > b.createdAtMs || (a.createdAtMs === b.createdAtMs && a.id > b.id);

/**
 * Merges the pages of several owners to one page of at most `limit` jobs. Each owner gives its next `limit` jobs, so the page has the newest
 * jobs of all owners. Positions are parallel to `pages`: an owner continues after its last job on this page.
 */
export function mergeJobs(pages: readonly OwnedJobs[], limit: number) {
  const taken = pages.map(() => 0);
  const merged: JobRow[] = [];
  const owners: number[] = [];
  while (merged.length < limit) {
    let newest: { row: JobRow; owner: number } | undefined;
    for (const [owner, { rows }] of pages.entries()) {
      const row = rows[taken[owner] as number];
      if (row && (!newest || isNewer(row, newest.row))) newest = { row, owner };
    }
    if (!newest) break;
    merged.push(newest.row);
    owners.push(newest.owner);
    taken[newest.owner] = (taken[newest.owner] as number) + 1;
  }
  return {
    rows: merged,
    /** The positions after the first `count` jobs of the page. */
    positionsAfter: (count: number): (JobPosition | undefined)[] =>
      pages.map(({ after }, owner) => merged[owners.lastIndexOf(owner, count - 1)] ?? after),
    hasMore: pages.some(({ rows, hasMore }, owner) => hasMore || (taken[owner] as number) < rows.length),
  };
}
