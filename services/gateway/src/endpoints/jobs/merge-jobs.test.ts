import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobBody } from './job-body.ts';
import { type JobPosition, mergeJobs } from './merge-jobs.ts';

const isBehind = (row: JobPosition, after: JobPosition | undefined) =>
  !after || row.createdAtMs < after.createdAtMs || (row.createdAtMs === after.createdAtMs && row.id < after.id);
const newestFirst = (a: JobPosition, b: JobPosition) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);

test('the pages of a merged list have every job of every owner once, newest first, for any page size and any place where a reader continues', () => {
  const times = fc.array(fc.nat({ max: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(times, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      (made, limit, most) => {
        const owners = made.map((ofOwner, owner) =>
          ofOwner
            .map((createdAtMs, n) => ({ createdAtMs, id: `job_${n}${'zua'[owner]}`, body: {} as JobBody }))
            .sort(newestFirst),
        );
        const seen: string[] = [];
        let positions: (JobPosition | undefined)[] = [];
        for (let hasMore = true; hasMore; ) {
          const pages = owners.map((rows, owner) => {
            const after = positions[owner];
            const rest = rows.filter((row) => isBehind(row, after));
            return { after, rows: rest.slice(0, limit), hasMore: rest.length > limit };
          });
          const merged = mergeJobs(pages, limit);
          expect(merged.rows.length).toBe(merged.hasMore ? limit : merged.rows.length);
          const taken = merged.rows.slice(0, most);
          seen.push(...taken.map(({ id }) => id));
          positions = merged.positionsAfter(taken.length);
          hasMore = merged.hasMore || taken.length < merged.rows.length;
        }
        expect(seen).toEqual(
          owners
            .flat()
            .sort(newestFirst)
            .map(({ id }) => id),
        );
      },
    ),
  );
});
