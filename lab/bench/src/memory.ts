import { readFileSync } from 'node:fs';
import { median } from './statistics.ts';

/** Bytes of memory by process. */
export type Memory = Record<string, number>;

export interface MemorySample {
  /** Since the start of the load. */
  atMs: number;
  memory: Memory;
}

/** Resident memory (RSS) of processes. Throws for a process that has ended. Empty without /proc. */
export function residentMemory(pids: Readonly<Record<string, number>>): Memory {
  if (process.platform !== 'linux') return {};
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, residentBytes(readFileSync(`/proc/${pid}/status`, 'utf8'))]),
  );
}

/** VmRSS in a `/proc/PID/status`. */
export function residentBytes(status: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error('a measured process has ended');
  return Number(kilobytes) * 1_024;
}

/** Long enough for several garbage collections, which move the memory of a process up and down. */
const windowMs = 10_000;

/** Memory by process at a time: the median of the ten seconds before it. */
export function memoryAt(samples: readonly MemorySample[], atMs: number): Memory {
  const window = samples.filter((sample) => sample.atMs > atMs - windowMs && sample.atMs <= atMs);
  const names = Object.keys(window[0]?.memory ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(window.map(({ memory }) => memory[name] as number))] as const),
  );
}
