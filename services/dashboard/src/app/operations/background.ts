import type { Logger } from '@shopscope/telemetry';

export type Background = ReturnType<typeof createBackground>;

/**
 * Runs work whose duration must not be visible in a response, for example mail to an address that may have no account.
 *
 * Failure of the work -> it is logged. The person can ask again.
 */
export function createBackground(logger: Logger) {
  const running = new Set<Promise<unknown>>();
  return {
    run(work: Promise<unknown>): void {
      const tracked = work
        .catch((error) => logger.error({ err: error }, 'work in the background failed'))
        .finally(() => running.delete(tracked));
      running.add(tracked);
    },
    /** Resolves when all work has ended. */
    async stop(): Promise<void> {
      await Promise.all(running);
    },
  };
}
