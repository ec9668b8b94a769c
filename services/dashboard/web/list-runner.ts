import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListEntry } from '../src/operations/store-lists.ts';
import type { StoreList } from '../src/outbound/mongo/store-lists.ts';

/** What changes while a list is run. */
export type ListProgress = Pick<
  StoreList,
  'state' | 'total' | 'finished' | 'batchSize' | 'batches' | 'billed' | 'counts'
>;

/** The response to the request for the next batch. */
export type ListRunAnswer =
  | { outcome: 'ran' | 'busy' | 'ended'; progress: ListProgress; entries: ListEntry[] }
  | { outcome: 'failed'; message: string; status: number; retryAfterSeconds?: number | undefined };

interface Runner {
  progress: ListProgress;
  /** Entries of batches that ended on this page, by index. */
  entries: ReadonlyMap<number, ListEntry>;
  /** `waiting`: a limit or a failure, the next try follows by itself. */
  state: 'idle' | 'running' | 'waiting';
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
 * - The page is left or closed -> the batch that runs ends on the server; no other begins.
 */
export function useListRunner(loaded: ListProgress, path: string): Runner {
  const [latest, setLatest] = useState(loaded);
  const [entries, setEntries] = useState<ReadonlyMap<number, ListEntry>>(new Map());
  const [state, setState] = useState<Runner['state']>('idle');
  const [message, setMessage] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const progress = newer(latest, loaded);

  const pause = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setState('idle');
  }, []);

  const start = useCallback(() => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setMessage(undefined);
    setState('running');
    void runBatches(path, controller.signal, {
      onBatch(answer) {
        setLatest(answer.progress);
        setEntries((before) => new Map([...before, ...answer.entries.map((entry) => [entry.index, entry] as const)]));
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
        setState('idle');
      },
    });
  }, [path]);

  useEffect(() => pause, [pause]);
  return { progress, entries, state, message, start, pause };
}

/** A list only goes forward. */
const newer = (latest: ListProgress, loaded: ListProgress): ListProgress =>
  latest.finished > loaded.finished || (latest.finished === loaded.finished && latest.state !== 'open')
    ? latest
    : loaded;

interface Handlers {
  onBatch(answer: Exclude<ListRunAnswer, { outcome: 'failed' }>): void;
  onWait(text: string): void;
  onStop(text: string | undefined): void;
}

async function runBatches(path: string, signal: AbortSignal, { onBatch, onWait, onStop }: Handlers): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    const answer = await runBatch(path, signal);
    if (signal.aborted) return;
    if (answer.outcome !== 'failed') {
      onBatch(answer);
      if (answer.progress.state !== 'open') return onStop(undefined);
      if (answer.outcome === 'ran') {
        tries = 0;
        continue;
      }
    }
    tries += 1;
    const isPassing = answer.outcome !== 'failed' || answer.status === 429 || answer.status >= 500;
    const text = answer.outcome === 'failed' ? answer.message : 'Another page runs this list.';
    if (!isPassing || tries >= triesMax) return onStop(text);
    const seconds = answer.outcome === 'failed' ? answer.retryAfterSeconds : undefined;
    const waitMs = Math.min(longestWaitMs, seconds === undefined ? busyPauseMs * tries : Math.max(1, seconds) * 1_000);
    onWait(`${text} Next try in ${Math.ceil(waitMs / 1_000)} s.`);
    await pauseFor(waitMs, signal);
  }
}

async function runBatch(path: string, signal: AbortSignal): Promise<ListRunAnswer> {
  const lost = { outcome: 'failed', status: 503, message: 'The dashboard did not answer.' } as const;
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
    const response = await fetch(path, { method: 'POST', signal: within, redirect: 'manual' });
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
