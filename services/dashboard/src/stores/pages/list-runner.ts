import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListStatus } from './load-store-list.ts';
import { runBatches } from './run-batches.ts';

export interface Runner {
  /** The state after the last batch; undefined before the first one. */
  latest: ListStatus | undefined;
  /** `waiting`: a limit or a failure, the next try follows by itself. `paused`: after it ran on this page. */
  state: 'idle' | 'running' | 'waiting' | 'paused';
  /** Why it waits or has stopped. */
  message: string | undefined;
  start(): void;
  pause(): void;
}

/** Runs the batches of a list, as long as the page is open ({@link runBatches}). */
export function useListRunner(path: string, page: number): Runner {
  const [latest, setLatest] = useState<ListStatus>();
  const [state, setState] = useState<Runner['state']>('idle');
  const [message, setMessage] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const shownPage = useRef(page);
  shownPage.current = page;

  const pause = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setMessage(undefined);
    setState('paused');
  }, []);

  const start = useCallback(() => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setMessage(undefined);
    setState('running');
    const { signal } = controller;
    void runBatches({
      fetchNext: () => fetch(`${path}?page=${shownPage.current}`, requestOptions()),
      pause: (ms) => pauseFor(ms, signal),
      signal,
      onStatus: setLatest,
      onBatch() {
        setMessage(undefined);
        setState('running');
      },
      onWait(text) {
        setMessage(text);
        setState('waiting');
      },
      onStop(text) {
        running.current = undefined;
        setMessage(text);
        setState('paused');
      },
    });
  }, [path]);

  // Another list begins anew.
  useEffect(() => {
    setLatest(undefined);
    setState('idle');
    setMessage(undefined);
    return () => {
      running.current?.abort();
      running.current = undefined;
    };
  }, [path]);
  return { latest, state, message, start, pause };
}

const requestTimeoutMs = 60_000;

const requestOptions = (): RequestInit => ({
  ...{ method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } },
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
