import { readdirSync, readFileSync } from 'node:fs';
import type { FaultSystem } from './system.ts';

/** Memory and open files of every process that runs. */
export type Census = ReadonlyMap<string, { pid: number; residentMiB: number; descriptors: number }>;

/** What a process may gain: garbage that is not collected yet, pools that filled up. */
const moreMiB = 120;
const moreDescriptors = 60;

export function census(system: FaultSystem): Census {
  return new Map(
    [...system.nodes].flatMap(([name, node]) => {
      try {
        const { pid } = node;
        const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
        return [[name, { pid, residentMiB: residentKiB / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length }]];
      } catch {
        return [];
      }
    }),
  );
}

/** What grew; a process that was started anew is compared with the one before it. */
export function growthSince(before: Census, after: Census): string[] {
  return [...after].flatMap(([name, now]) => {
    const then = before.get(name);
    if (!then) return [];
    const problems: string[] = [];
    if (now.residentMiB > then.residentMiB + moreMiB) {
      problems.push(`${name} grew from ${then.residentMiB.toFixed(0)} to ${now.residentMiB.toFixed(0)} MiB`);
    }
    if (now.descriptors > then.descriptors + moreDescriptors) {
      problems.push(`${name} went from ${then.descriptors} to ${now.descriptors} open files`);
    }
    return problems;
  });
}
