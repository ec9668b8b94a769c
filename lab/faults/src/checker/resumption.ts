import type { ScanRecord } from './databases.ts';

/** A scan that was in progress at the fault, with its state at that time. */
export type ScanInProgress = Pick<ScanRecord, 'id' | 'domain' | 'attempts' | 'sequence'>;

/**
 * Checks that an interrupted scan resumes once and that its lost lease is fenced off. The scan succeeds, is leased at most once more, and has
 * exactly one merged observation, which is that of its latest lease. A scan whose jobs were all canceled has ended with the last of them, so
 * it is not checked.
 */
export function checkResumption(scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): string[] {
  const byId = new Map(scans.map((scan) => [scan.id, scan]));
  return scansInProgress.flatMap(({ id, domain, attempts, sequence }) => {
    const scan = byId.get(id);
    const name = `the interrupted scan ${id} of ${domain}`;
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

/** Returns the number of scans that had to resume or succeed, because a job still waited for them. */
export const resumable = (scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): number =>
  scansInProgress.filter(({ id }) => !scans.some((scan) => scan.id === id && scan.isCanceled)).length;

/** Returns the number of scans that needed another lease, because the first one was lost. */
export const lostLeases = (scansInProgress: readonly ScanInProgress[], scans: readonly ScanRecord[]): number =>
  scansInProgress.filter(({ id, attempts }) => scans.some((scan) => scan.id === id && scan.attempts > attempts)).length;
