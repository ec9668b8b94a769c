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
  return () => processes.filter(({ pid }) => pid !== null && !signal(pid, 0)).map(({ name }) => name);
}

/** False when the process has ended already. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
