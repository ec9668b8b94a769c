import { readFileSync } from 'node:fs';

/** µs of CPU by process. */
export type CpuTimes = Record<string, number>;

/** µs of CPU that each process has used; the kernel counts in hundredths of a second. 0 where there is no /proc. */
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

/** What each process used between two readings, for each of `count` things. */
export function cpuUsPer(count: number, before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) / Math.max(1, count)]),
  );
}
