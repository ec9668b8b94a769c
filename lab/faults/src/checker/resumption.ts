import type { ScanRecord } from './databases.ts';

/** A scan that was in progress at the fault, as it was then. */
export type ScanInProgress = Pick<ScanRecord, 'id' | 'domain' | 'attempts' | 'sequence'>;

/**
 * The job resumes once and its lost lease is fenced off: an interrupted scan succeeds, is leased at most once more, and has
 * exactly one merged observation, that of its latest lease. A scan whose callers canceled all of its jobs ended with the last of
 * them, so it shows nothing about this.
 */
export function checkResumption(scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): string[] {
  const byId = new Map(scans.map((scan) => [scan.id, scan]));
  return scansInProgress.flatMap(({ id, domain, attempts, sequence }) => {
    const scan = byId.get(id);
    const name = `the scansInProgress scan ${id} of ${domain}`;
    if (!scan) return [`${name} does not exist any more`];
    if (scan.isCanceled) return [];
    const again = scan.attempts - attempts;
    return [
      ...(scan.state === 'succeeded' ? [] : [`${name} is ${scan.state} at the end of the run`]),
      ...(again > 1 ? [`${name} was leased ${again} times more`] : []),
      ...(again > 0 && scan.sequence <= sequence ? [`${name} was leased again without a later sequence`] : []),
      ...(scan.merged.length === 1 ? [] : [`${name} was merged ${scan.merged.length} times`]),
      ...(again > 0 && scan.merged.some((merged) => merged !== scan.sequence)
        ? [`of ${name} the observation of a lost lease was merged`]
        : []),
    ];
  });
}

/** Number of scans that had to resume or succeed, because a caller still waited for them. */
export const resumable = (scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): number =>
  scansInProgress.filter(({ id }) => !scans.some((scan) => scan.id === id && scan.isCanceled)).length;

/** Number of scans that needed another lease because the first one was lost. */
export const lostLeases = (scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): number =>
  scansInProgress.filter(({ id, attempts }) => scans.some((scan) => scan.id === id && scan.attempts > attempts)).length;
