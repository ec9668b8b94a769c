import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobBody } from './job-body.ts';
import { type JobPosition, mergeJobs } from './merge-jobs.ts';

const isBehind = (row: JobPosition, after: JobPosition | undefined) =>
  !after || row.createdAtMs < after.createdAtMs || (row.createdAtMs === after.createdAtMs && row.id < after.id);
const newestFirst = (a: JobPosition, b: JobPosition) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);

test('the pages of a merged list have every job of every owner once, newest first, for any page size', () => {
  const times = fc.array(fc.nat({ max: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 7 }), (made, limit) => {
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
        seen.push(...merged.rows.map(({ id }) => id));
        ({ positions, hasMore } = merged);
      }
      expect(seen).toEqual(
        owners
          .flat()
          .sort(newestFirst)
          .map(({ id }) => id),
      );
    }),
  );
});
