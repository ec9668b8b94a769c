import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

/** The CPU time of each process, in µs. */
export type CpuTimes = Record<string, number>;

/** The positions of the CPU times in `/proc/PID/stat`, counted from the first field after the name of the program. */
const ownFields = [11, 12] as const;
const endedChildrenFields = [13, 14] as const;

/** Returns the CPU time that each process has used. The kernel counts in hundredths of a second. It is 0 if there is no /proc. */
export function cpuTimes(pids: Readonly<Record<string, number>>): CpuTimes {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuUsOf(pid, ownFields)]));
}

/** Returns the CPU time of all threads of a process. The kernel counts it in ns. It is 0 if there is no /proc. */
export function threadsCpuUs(pid: number): number {
  const ns = threadsOf(pid).map((thread) => Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]));
  return sum(ns) / 1_000;
}

/** Returns the CPU time of the child processes of a process, including those that have ended. */
export function childCpuUs(pid: number): number {
  return childrenOf(pid).reduce((us, child) => us + cpuUsOf(child, ownFields), cpuUsOf(pid, endedChildrenFields));
}

/** Returns the ids of the running child processes. The list is empty if there is no /proc. */
export function childrenOf(pid: number): number[] {
  const pids = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ');
  return pids.filter((child) => child !== '').map(Number);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function cpuUsOf(pid: number, fields: readonly number[]): number {
  const values = readOrEmpty(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.reduce((us, field) => us + Number(values[field] ?? 0) * 10_000, 0);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the CPU time that each process used between two readings, divided by `count`. */
export function cpuUsPer(count: number, before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) / Math.max(1, count)]),
  );
}
