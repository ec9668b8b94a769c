import type { ServerResponse } from 'node:http';

/**
 * Requests that wait for something that may not happen.
 *
 * - The caller disconnects, or the gateway stops -> `abort` of its call aborts.
 * - Bound: a waiting request holds a slot of its key's concurrency.
 */
export interface WaitingRequests {
  /** Calls `call`, and settles as it does. */
  run<Result>(response: RequestEnd, call: (abort: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Whether `stop` was called. Calls that begin afterwards are aborted from the start. */
  readonly isStopped: boolean;
  /** Ends all waits: the requests then respond at once. */
  stop(): void;
}

/** What tells the end of a request. */
export type RequestEnd = Pick<ServerResponse, 'closed' | 'once' | 'removeListener'>;

export function createWaitingRequests(): WaitingRequests {
  const waiting = new Set<AbortController>();
  let isStopped = false;
  return {
    async run(response, call) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      response.once('close', abort);
      waiting.add(controller);
      if (isStopped || response.closed) abort();
      try {
        return await call(controller.signal);
      } finally {
        waiting.delete(controller);
        response.removeListener('close', abort);
      }
    },
    get isStopped() {
      return isStopped;
    },
    stop() {
      isStopped = true;
      for (const controller of waiting) controller.abort();
    },
  };
}
