import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { FaultSystem } from './system.ts';

/** The memory and the open file descriptors of a process. */
export interface ResourceUsage {
  name: string;
  residentMiB: number;
  /**
   * The number of open file descriptors, without those of data files: MongoDB opens each of several hundred files when it is first used, and
   * Kafka those of each partition.
   */
  descriptors: number;
}

/** The usage of every running process, by process id. It is taken while no fault is active. */
export type ResourceSnapshot = ReadonlyMap<number, ResourceUsage>;

/** This growth is not a leak: it is garbage that is not collected yet, and filled connection pools. */
const allowedGrowthMiB = 120;
const allowedGrowthDescriptors = 60;

export function resourceSnapshot(system: Pick<FaultSystem, 'nodes'>): ResourceSnapshot {
  return new Map(
    [...system.nodes].flatMap(([name, node]) => {
      try {
        const { pid } = node;
        const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
        const opened = readdirSync(`/proc/${pid}/fd`);
        const descriptors = opened.filter((descriptor) => !isDataFile(`/proc/${pid}/fd/${descriptor}`)).length;
        return [[pid, { name, residentMiB: residentKiB / 1_024, descriptors }] as const];
      } catch {
        return [];
      }
    }),
  );
}

/** The names of data files: of a collection or an index of MongoDB, or of a segment of a partition of Kafka. */
const dataFile = /\.wt$|\/\d{20}\.(?:log|index|timeindex)$/;

function isDataFile(descriptor: string): boolean {
  try {
    return dataFile.test(readlinkSync(descriptor));
  } catch {
    // The descriptor was closed meanwhile.
    return false;
  }
}

/** Compares each process only with its own earlier usage, because the process that replaces a killed one begins with little memory. */
export function createGrowthDetector() {
  const seen = new Map<number, { first: ResourceUsage; last: ResourceUsage; times: number }>();
  const several = () => [...seen.values()].filter(({ times }) => times > 1);
  return {
    note(now: ResourceSnapshot): void {
      for (const [pid, size] of now) {
        const before = seen.get(pid);
        seen.set(pid, { first: before?.first ?? size, last: size, times: (before?.times ?? 0) + 1 });
      }
    },
    /** Returns how many processes are in at least two snapshots. */
    compared: (): number => several().length,
    /** Returns a text for each process that grew too much between its first and its last snapshot. */
    growth: (): string[] =>
      several().flatMap(({ first, last }) => [
        ...(last.residentMiB > first.residentMiB + allowedGrowthMiB
          ? [`${last.name} grew from ${first.residentMiB.toFixed(0)} to ${last.residentMiB.toFixed(0)} MiB`]
          : []),
        ...(last.descriptors > first.descriptors + allowedGrowthDescriptors
          ? [`${last.name} went from ${first.descriptors} to ${last.descriptors} open files`]
          : []),
      ]),
  };
}
