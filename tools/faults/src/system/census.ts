import { readdirSync, readFileSync } from 'node:fs';
import type { FaultSystem } from './system.ts';

/** Memory and open files of a process at a quiet moment. */
export interface Size {
  name: string;
  residentMiB: number;
  descriptors: number;
}

/** Of every process that runs, by pid. */
export type Census = ReadonlyMap<number, Size>;

/** What a process may gain: garbage that is not collected yet, pools that filled up. */
const moreMiB = 120;
const moreDescriptors = 60;

export function census(system: Pick<FaultSystem, 'nodes'>): Census {
  return new Map(
    [...system.nodes].flatMap(([name, node]) => {
      try {
        const { pid } = node;
        const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
        const descriptors = readdirSync(`/proc/${pid}/fd`).length;
        return [[pid, { name, residentMiB: residentKiB / 1_024, descriptors }] as const];
      } catch {
        return [];
      }
    }),
  );
}

/** Compares every process with itself, over its own lifetime: the one that takes a killed one's place starts small. */
export function createLifetimes() {
  const seen = new Map<number, { first: Size; last: Size; times: number }>();
  const several = () => [...seen.values()].filter(({ times }) => times > 1);
  return {
    note(now: Census): void {
      for (const [pid, size] of now) {
        const before = seen.get(pid);
        seen.set(pid, { first: before?.first ?? size, last: size, times: (before?.times ?? 0) + 1 });
      }
    },
    /** How many lived through two moments at least. */
    compared: (): number => several().length,
    /** What grew from its first quiet moment to its last. */
    growth: (): string[] =>
      several().flatMap(({ first, last }) => [
        ...(last.residentMiB > first.residentMiB + moreMiB
          ? [`${last.name} grew from ${first.residentMiB.toFixed(0)} to ${last.residentMiB.toFixed(0)} MiB`]
          : []),
        ...(last.descriptors > first.descriptors + moreDescriptors
          ? [`${last.name} went from ${first.descriptors} to ${last.descriptors} open files`]
          : []),
      ]),
  };
}
