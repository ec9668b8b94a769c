import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListStep } from '../src/operations/store-lists.ts';
import { hasEnded, type ListStatus } from './loaders/store-list.ts';

/** The response to the request for the next batch: the stored state of the list, with the entries of the shown page. */
export type ListRunAnswer =
  | ({ outcome: ListStep } & ListStatus)
  | { outcome: 'failed'; message: string; status: number; retryAfterSeconds?: number | undefined };

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

const busyPauseMs = 2_000;
const longestWaitMs = 120_000;
/** Tries without a finished batch in between. */
const triesMax = 10;
const requestTimeoutMs = 60_000;

/**
 * Runs the batches of a list one after the other, as long as the page is open.
 *
 * - 429, 503 and a lost connection -> it waits and tries again, at most {@link triesMax} times in a row.
 * - Every other failure -> it stops and says why.
 * - The list is paused, or the page is left or closed -> the batch under way ends on the server and is billed; no other begins.
 */
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
    void runBatches(() => `${path}?page=${shownPage.current}`, controller.signal, {
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

interface Handlers {
  /** Also of the batch that was under way at a pause. */
  onStatus(status: ListStatus): void;
  onBatch(): void;
  onWait(text: string): void;
  onStop(text: string | undefined): void;
}

async function runBatches(
  addressOf: () => string,
  signal: AbortSignal,
  { onStatus, onBatch, onWait, onStop }: Handlers,
): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    const answer = await runBatch(addressOf());
    if (answer.outcome !== 'failed') onStatus(answer);
    if (signal.aborted) return;
    if (answer.outcome !== 'failed') {
      if (hasEnded(answer)) return onStop(undefined);
      if (answer.outcome === 'ran') {
        onBatch();
        tries = 0;
        continue;
      }
    }
    tries += 1;
    const isPassing = answer.outcome !== 'failed' || answer.status === 429 || answer.status >= 500;
    const text = answer.outcome === 'failed' ? answer.message : 'A batch of this list is under way already.';
    if (!isPassing || tries >= triesMax) return onStop(text);
    const seconds = answer.outcome === 'failed' ? answer.retryAfterSeconds : undefined;
    const waitMs = Math.min(longestWaitMs, seconds === undefined ? busyPauseMs * tries : Math.max(1, seconds) * 1_000);
    onWait(`${text} Next try in ${Math.ceil(waitMs / 1_000)} s.`);
    await pauseFor(waitMs, signal);
  }
}

async function runBatch(path: string): Promise<ListRunAnswer> {
  const lost = { outcome: 'failed', status: 503, message: 'The dashboard did not answer.' } as const;
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(path, { method: 'POST', signal, redirect: 'manual' });
    if (response.type === 'opaqueredirect' || response.status === 404) {
      const message = 'The session has ended, or the list is gone. Load the page again.';
      return { outcome: 'failed', status: 404, message };
    }
    return (await response.json()) as ListRunAnswer;
  } catch {
    return lost;
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
