import { readFileSync } from 'node:fs';

/** CPU µs by process. */
export type CpuTimes = Record<string, number>;

/** CPU µs that each process has used. The kernel counts in hundredths of a second. 0 without /proc. */
export function cpuTimes(pids: Readonly<Record<string, number>>): CpuTimes {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [name, (Number(fields[11]) + Number(fields[12])) * 10_000];
      } catch {
        return [name, 0];
      }
    }),
  );
}

/** CPU that each process used between two readings, divided by `count`. */
export function cpuUsPer(count: number, before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) / Math.max(1, count)]),
  );
}
