import { withTimeout } from '@shopscope/async';

/**
 * The cleanups of a service's resources. Each resource registers its cleanup when it is created.
 *
 * - `stop` runs the cleanups once, in reverse order.
 * - A cleanup fails or takes longer than its time limit -> `onError`; the next one runs.
 */
export interface CleanupStack {
  /** Registers the cleanup of a resource that now exists. */
  onStop(name: string, cleanup: () => Promise<unknown> | unknown): void;
  stop(): Promise<void>;
}

export interface CleanupStackOptions {
  /** Time limit of each cleanup. */
  timeoutMs: number;
  onError(name: string, error: unknown): void;
}

export function createCleanupStack(options: CleanupStackOptions): CleanupStack {
  const cleanups: { name: string; cleanup: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<void> | undefined;

  const runOne = async (name: string, cleanup: () => Promise<unknown> | unknown) => {
    const { timeoutMs, onError } = options;
    try {
      await withTimeout(Promise.resolve(cleanup()), timeoutMs, `${name} did not stop in ${timeoutMs} ms`);
    } catch (error) {
      onError(name, error);
    }
  };

  return {
    onStop(name, cleanup) {
      cleanups.push({ name, cleanup });
    },
    stop() {
      stopping ??= (async () => {
        for (let last = cleanups.pop(); last; last = cleanups.pop()) await runOne(last.name, last.cleanup);
      })();
      return stopping;
    },
  };
}
