import type { Logger } from '@shopscope/telemetry';

/** Work whose duration must not be visible in a response, for example mail to an address that may have no account. */
export interface Background {
  run(work: Promise<unknown>): void;
  /** Resolves when all work has ended. */
  stop(): Promise<void>;
}

/** Failure of a work -> it is logged. The person can ask again. */
export function createBackground(logger: Logger): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const tracked = work
        .catch((error) => logger.error({ err: error }, 'work in the background failed'))
        .finally(() => running.delete(tracked));
      running.add(tracked);
    },
    async stop() {
      await Promise.all(running);
    },
  };
}
