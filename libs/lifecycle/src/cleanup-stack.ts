import { withTimeout } from '@shopscope/async';

/**
 * The cleanups of a service's resources. Each resource registers its cleanup when it is created.
 *
 * - `stop` runs the cleanups once, in reverse order.
 * - A cleanup fails or takes longer than its time limit -> `onError` is called, and the next cleanup runs.
 */
export type CleanupStack = ReturnType<typeof createCleanupStack>;

type Cleanup = () => Promise<unknown> | unknown;

export function createCleanupStack({
  timeoutMs,
  onError,
}: {
  /** The time limit of each cleanup. */
  timeoutMs: number;
  onError(name: string, error: unknown): void;
}) {
  const cleanups: { name: string; cleanup: Cleanup }[] = [];
  let stopping: Promise<void> | undefined;

  const runOne = async (name: string, cleanup: Cleanup) => {
    try {
      await withTimeout(Promise.resolve(cleanup()), timeoutMs, `${name} did not stop in ${timeoutMs} ms`);
    } catch (error) {
      onError(name, error);
    }
  };

  return {
    /** Registers the cleanup of a resource that now exists. */
    onStop(name: string, cleanup: Cleanup): void {
      cleanups.push({ name, cleanup });
    },
    stop(): Promise<void> {
      stopping ??= (async () => {
        for (let last = cleanups.pop(); last; last = cleanups.pop()) await runOne(last.name, last.cleanup);
      })();
      return stopping;
    },
  };
}
