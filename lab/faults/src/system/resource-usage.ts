import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { FaultSystem } from './system.ts';

/** The memory and the open file descriptors of a process. */
export interface ResourceUsage {
  name: string;
  residentMiB: number;
  /**
   * The number of open file descriptors, without those of data files: MongoDB opens each of several hundred files when it is first used,
   * Kafka those of each partition, and OpenSearch those of each edition.
   */
  descriptors: number;
}

/** The usage of every running process, by process id. It is taken while no fault is active. */
export type ResourceSnapshot = ReadonlyMap<number, ResourceUsage>;

/** This growth is not a leak: it is garbage that is not collected yet. */
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

/** The names of data files: of a collection or an index of MongoDB, of a segment of a partition of Kafka, or of an index of OpenSearch. */
const dataFile = /\.wt$|\/\d{20}\.(?:log|index|timeindex)$|\/nodes\/0\/indices\//;

function isDataFile(descriptor: string): boolean {
  try {
    return dataFile.test(readlinkSync(descriptor));
  } catch {
    // The descriptor was closed meanwhile.
    return false;
  }
}

/**
 * Compares the last usage of each process with its own largest one in the first half of its snapshots: connection pools are filled
 * meanwhile, and a leak goes on. The process that replaces a killed one begins with little memory, and is a process of its own.
 */
export function createGrowthDetector() {
  const seen = new Map<number, ResourceUsage[]>();
  const several = () => [...seen.values()].filter((usages) => usages.length > 1);
  return {
    note(now: ResourceSnapshot): void {
      for (const [pid, usage] of now) seen.set(pid, [...(seen.get(pid) ?? []), usage]);
    },
    /** Returns how many processes are in at least two snapshots. */
    compared: (): number => several().length,
    /** Returns a text for each process that grew too much. */
    growth: (): string[] => several().flatMap(growthOf),
  };
}

function growthOf(usages: ResourceUsage[]): string[] {
  const firstHalf = usages.slice(0, usages.length / 2);
  const last = usages.at(-1) as ResourceUsage;
  const residentMiB = Math.max(...firstHalf.map((usage) => usage.residentMiB));
  const descriptors = Math.max(...firstHalf.map((usage) => usage.descriptors));
  return [
    ...(last.residentMiB > residentMiB + allowedGrowthMiB
      ? [`${last.name} grew from ${residentMiB.toFixed(0)} to ${last.residentMiB.toFixed(0)} MiB`]
      : []),
    ...(last.descriptors > descriptors + allowedGrowthDescriptors
      ? [`${last.name} went from ${descriptors} to ${last.descriptors} open files`]
      : []),
  ];
}
