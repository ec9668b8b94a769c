import { type AppError, invalidField } from '@shopscope/errors';
import { shortened } from './cut.ts';
import { escaped } from './escaped.ts';

/** Refuses values that do not exist, and names near ones. */

const maxNear = 3;
const maxDistance = 3;
const maxShown = 60;

/** Returns an `invalid_request` with the path of the value, the value, and up to three known values that look like it. */
export function unknownValue(path: string, value: string, known: Iterable<string>): AppError {
  const near = nearest(value, known);
  const shown = escaped(shortened(value, maxShown)).replaceAll('"', '\\"');
  const hint = near.length === 0 ? '' : `; near ones: ${near.join(', ')}`;
  return invalidField(path, `must be a value that exists, not "${shown}"${hint}`);
}

/**
 * Returns up to three known values, the nearest first: those that differ by few characters, and those that begin with the whole value.
 * Of equally near ones, those with the same first character come first. A value with many differences has no near one. Case is ignored.
 *
 * Cost: one comparison of lengths per known value, and few distances. A distance stops at {@link maxDistance}.
 */
export function nearest(value: string, known: Iterable<string>): string[] {
  const typed = value.toLowerCase();
  const max = Math.min(maxDistance, 1 + Math.floor(typed.length / 4));
  const found: { distance: number; candidate: string }[] = [];
  for (const candidate of known) {
    const distance = distanceOf(typed, candidate.toLowerCase(), max);
    if (distance <= max) found.push({ distance, candidate });
  }
  const isOther = (candidate: string) => Number(candidate[0]?.toLowerCase() !== typed[0]);
  found.sort(
    (a, b) =>
      a.distance - b.distance || isOther(a.candidate) - isOther(b.candidate) || (a.candidate < b.candidate ? -1 : 1),
  );
  return found.slice(0, maxNear).map(({ candidate }) => candidate);
}

/** Returns the number of inserted, removed, replaced and exchanged characters. A value that `b` begins with has distance 1. */
function distanceOf(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (a.length > 2 && b.startsWith(a)) return 1;
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchange) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    if (Math.min(...row) > max) return Number.POSITIVE_INFINITY;
    before = last;
    last = row;
  }
  return last[b.length] ?? Number.POSITIVE_INFINITY;
}
