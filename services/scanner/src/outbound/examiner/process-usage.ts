import { readFile } from 'node:fs/promises';

/** The resident memory of a process in MiB, with memory outside its heap. 0 where there is no /proc, or without the process. */
export async function residentMbOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}
