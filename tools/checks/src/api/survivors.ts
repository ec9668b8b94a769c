import type { ReadySystem } from '@shopscope/local';

/**
 * Tells which of a system's processes have ended since they were first looked at: one that crashed is started again
 * within a second, and answers the next question as if nothing had been.
 */
export function watchProcesses({ services, stack }: ReadySystem): () => string[] {
  const processes = [
    ...Object.entries(services).flatMap(([name, instances]) => instances.map(({ pid }) => ({ name, pid }))),
    ...Object.entries(stack).map(([name, { pid }]) => ({ name, pid })),
  ];
  return () => processes.filter(({ pid }) => pid !== null && !isAlive(pid)).map(({ name }) => name);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
