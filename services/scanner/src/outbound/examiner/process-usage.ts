import { readFile } from 'node:fs/promises';

/** Returns a process's resident memory in MiB, with memory outside its heap. It is 0 without /proc, or without the process. */
export async function residentMbOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** The unit of times in /proc, on every platform of Node (proc_pid_stat(5), USER_HZ). */
const tickMs = 10;

/** Returns the CPU time of all threads of a process in milliseconds. Undefined without /proc, or without the process. */
export async function cpuMsOf(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The program's name is in brackets and may contain spaces. User and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
