import { execFileSync } from 'node:child_process';
import type { Node } from '../system/node.ts';
import { poll } from '../wait.ts';

const fullAtBytes = 4_096;
const longestMs = 600_000;
const everyMs = 25;

/**
 * Simulates a full disk for one process and for the processes that replace it: no file can grow. Linux then fails each write beyond a
 * small size (EFBIG), which a broker handles as it handles ENOSPC: its log directory is offline. Returns what frees the disk.
 */
export function fillDisk(node: Node): () => void {
  const limited = new Set<number>();
  let isFree = false;
  const limit = (pid: number, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' });
  const limitOnce = () => {
    try {
      const { pid } = node;
      if (limited.has(pid)) return;
      limit(pid, fullAtBytes);
      limited.add(pid);
    } catch {
      // The process has ended, and another one will replace it.
    }
  };
  const over = async () => {
    if (!isFree) limitOnce();
    return isFree || undefined;
  };
  limitOnce();
  if (limited.size === 0) throw new Error(`prlimit could not limit ${node.name}`);
  void poll(over, { timeoutMs: longestMs, everyMs });
  return () => {
    isFree = true;
    try {
      limit(node.pid, 'unlimited');
    } catch {
      // The process has ended, and its replacement has no limit.
    }
  };
}
