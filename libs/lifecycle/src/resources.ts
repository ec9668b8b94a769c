import { withTimeout } from '@shopscope/async';

/**
 * A service's resources with their cleanups. Each is registered where it is made; {@link stop} runs the cleanups in
 * reverse order, once, each within a time bound, and goes on when one fails, so that one stuck resource does not keep
 * the others open.
 */
export interface Resources {
  /** Registers the cleanup of something that now exists. */
  onStop(name: string, cleanup: () => Promise<unknown> | unknown): void;
  stop(): Promise<void>;
}

export interface ResourcesOptions {
  /** Per cleanup. */
  timeoutMs: number;
  onError(name: string, error: unknown): void;
}

export function createResources(options: ResourcesOptions): Resources {
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
