import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListStatus } from './load-store-list.ts';
import { runBatches } from './run-batches.ts';

export interface Runner {
  /** The state after the last batch; undefined before the first one. */
  latest: ListStatus | undefined;
  /** `waiting`: after a limit or a failure; the next try follows automatically. `paused`: the list ran on this page before. */
  state: 'idle' | 'running' | 'waiting' | 'paused';
  /** The reason why it waits or has stopped. */
  message: string | undefined;
  start(): void;
  pause(): void;
}

/** Runs the batches of a list while the page is open ({@link runBatches}). */
export function useListRunner(path: string, page: number): Runner {
  const [latest, setLatest] = useState<ListStatus>();
  const [shown, show] = useState<Pick<Runner, 'state' | 'message'>>(idle);
  const running = useRef<AbortController>(undefined);
  const shownPage = useRef(page);
  shownPage.current = page;

  const pause = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    show({ state: 'paused', message: undefined });
  }, []);

  const start = useCallback(() => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const onBatch = () => show({ state: 'running', message: undefined });
    onBatch();
    void runBatches({
      fetchNext: () => fetch(`${path}?page=${shownPage.current}`, requestOptions()),
      pause: (ms) => pauseFor(ms, signal),
      signal,
      onStatus: setLatest,
      onBatch,
      onWait: (message) => show({ state: 'waiting', message }),
      onStop(message) {
        running.current = undefined;
        show({ state: 'paused', message });
      },
    });
  }, [path]);

  // The state of the runner is reset for another list.
  useEffect(() => {
    setLatest(undefined);
    show(idle);
    return () => {
      running.current?.abort();
      running.current = undefined;
    };
  }, [path]);
  return { latest, ...shown, start, pause };
}

const idle = { state: 'idle', message: undefined } as const;

const requestTimeoutMs = 60_000;

const requestOptions = (): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { Accept: 'application/json' },
  signal: AbortSignal.timeout(requestTimeoutMs),
});

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
