import type { ScanRecord } from './databases.ts';

/** A scan as it was when the fault met it under way. */
export type InterruptedScan = Pick<ScanRecord, 'id' | 'domain' | 'attempts' | 'sequence'>;

/**
 * The job resumes once and its lease is fenced: a scan that was interrupted ends well, is given out once more at most, and
 * what is merged of it is one observation, that of its latest lease and not of the one that was lost.
 */
export function checkResumption(interrupted: readonly InterruptedScan[], scans: readonly ScanRecord[]): string[] {
  const byId = new Map(scans.map((scan) => [scan.id, scan]));
  return interrupted.flatMap(({ id, domain, attempts, sequence }) => {
    const scan = byId.get(id);
    const name = `the interrupted scan ${id} of ${domain}`;
    if (!scan) return [`${name} does not exist any more`];
    const again = scan.attempts - attempts;
    return [
      ...(scan.state === 'succeeded' ? [] : [`${name} is ${scan.state} in the end`]),
      ...(again > 1 ? [`${name} was given out ${again} times more`] : []),
      ...(again > 0 && scan.sequence <= sequence ? [`${name} was given out again under no later sequence`] : []),
      ...(scan.merged.length === 1 ? [] : [`${name} was merged ${scan.merged.length} times`]),
      ...(again > 0 && scan.merged.some((merged) => merged !== scan.sequence)
        ? [`of ${name} the observation of a lost lease was merged`]
        : []),
    ];
  });
}

/** How many of them another lease was given for, because the first one was lost. */
export const lostLeases = (interrupted: readonly InterruptedScan[], scans: readonly ScanRecord[]): number =>
  interrupted.filter(({ id, attempts }) => scans.some((scan) => scan.id === id && scan.attempts > attempts)).length;
