import { readFileSync } from 'node:fs';
import { median } from './statistics.ts';

/** The memory of each process, in bytes. */
export type Memory = Record<string, number>;

export interface MemorySample {
  /** The time since the start of the load. */
  atMs: number;
  memory: Memory;
}

/** Returns the resident memory (RSS) of processes. Throws if a process has ended. The result is empty outside Linux. */
export function residentMemory(pids: Readonly<Record<string, number>>): Memory {
  if (process.platform !== 'linux') return {};
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, residentBytes(readFileSync(`/proc/${pid}/status`, 'utf8'))]),
  );
}

/** Returns the bytes of VmRSS in the text of `/proc/PID/status`. */
export function residentBytes(status: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error('a measured process has ended');
  return Number(kilobytes) * 1_024;
}

/** The window has several garbage collections, because each of them changes the memory of a process. */
const windowMs = 10_000;

/** Returns the memory of each process at a time: the median of the samples of the ten seconds before it. */
export function memoryAt(samples: readonly MemorySample[], atMs: number): Memory {
  const window = samples.filter((sample) => sample.atMs > atMs - windowMs && sample.atMs <= atMs);
  const names = Object.keys(window[0]?.memory ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(window.map(({ memory }) => memory[name] as number))] as const),
  );
}
