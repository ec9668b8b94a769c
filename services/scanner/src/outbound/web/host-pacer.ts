import type { Clock } from '@shopscope/clock';

/**
 * One request at a time per host in this process, with a pause after each. Hosts that nobody has asked for lately are
 * forgotten, so that the table stays small. An aborted waiter leaves the line without letting the next one jump ahead.
 */
export interface HostPacer {
  /** Runs `work` when the host is free, and keeps the host for `delayMs` after it. */
  run<T>(host: string, delayMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Lane {
  tail: Promise<void>;
  freeAtMs: number;
  waiting: number;
}

const maxIdleLanes = 10_000;

export function createHostPacer(clock: Clock): HostPacer {
  const lanes = new Map<string, Lane>();

  const forgetIdle = () => {
    if (lanes.size <= maxIdleLanes) return;
    for (const [host, lane] of lanes) {
      if (lane.waiting === 0 && lane.freeAtMs <= clock.monotonicMs()) lanes.delete(host);
    }
  };

  return {
    async run(host, delayMs, signal, work) {
      forgetIdle();
      const lane = lanes.get(host) ?? { tail: Promise.resolve(), freeAtMs: 0, waiting: 0 };
      lanes.set(host, lane);
      const previous = lane.tail;
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      lane.tail = done;
      lane.waiting += 1;
      try {
        await untilAborted(previous, signal);
        const waitMs = lane.freeAtMs - clock.monotonicMs();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        signal.throwIfAborted();
        try {
          return await work();
        } finally {
          lane.freeAtMs = clock.monotonicMs() + delayMs;
        }
      } finally {
        lane.waiting -= 1;
        void previous.then(release);
      }
    },
  };
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
