import type { ReadySystem } from '@shopscope/local';

/**
 * Returns the names of processes that have ended since the first call. A crashed process is restarted within a second,
 * so later requests do not show the crash.
 */
export function watchProcesses({ services, stack }: Pick<ReadySystem, 'services' | 'stack'>): () => string[] {
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
