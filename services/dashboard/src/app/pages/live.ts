import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useAdvanceNow } from '../components/time.tsx';

/** Data that a page keeps current. `missing` has the names of the parts that could not be read. */
interface LiveData {
  nowMs: number;
  missing?: Readonly<Record<string, boolean>>;
}

/** `live`: the values are current. `paused`: the page is hidden or the browser is offline. `late`: the last reading failed. */
export type LiveState = 'live' | 'paused' | 'late';

interface LiveOptions<T> {
  /** Default: 5 s. */
  everyMs?: number;
  /** Whether the data no longer changes. It is then not read again. */
  isDone?(data: T): boolean;
}

const longestPauseMs = 60_000;
const timeoutMs = 4_000;

/**
 * Keeps the data of a page current: reads `path` while the page is visible and the browser is online.
 *
 * - The time of each reading becomes the page's "now", so that relative times agree with the data.
 * - A reading fails, or lacks a part that the page shows -> the page keeps its values and shows their time. The pause between readings
 *   doubles, up to a minute. A revalidation would instead replace the page by the error page.
 * - A missing part can be read again -> the page shows it.
 * - The session has ended, or the person has left the workspace -> the page is revalidated, which redirects the person.
 * - Without script, the page shows the data that the server rendered.
 */
export function useLive<T extends LiveData>(
  loaded: T,
  path: string,
  { everyMs = 5_000, isDone = () => false }: LiveOptions<T> = {},
): { data: T; state: LiveState } {
  const [latest, setLatest] = useState<{ loaded: T; data: T }>({ loaded, data: loaded });
  const [state, setState] = useState<LiveState>('live');
  const { revalidate } = useRevalidator();
  const advanceNow = useAdvanceNow();
  // After a navigation, the loaded data is newer than the last reading.
  const data = latest.loaded === loaded ? latest.data : loaded;
  const hasEnded = isDone(data);

  useEffect(() => {
    if (hasEnded) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let current = loaded;
    let isReading = false;

    const mayRead = () => document.visibilityState === 'visible' && navigator.onLine;
    const schedule = () => {
      clearTimeout(timer);
      if (!signal.aborted) timer = setTimeout(read, Math.min(longestPauseMs, everyMs * 2 ** failures));
    };
    const read = async () => {
      if (isReading) return;
      clearTimeout(timer);
      if (!mayRead()) return setState('paused');
      isReading = true;
      try {
        const next = await readJson<T>(path, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
        if (signal.aborted) return;
        if (next === 'gone') {
          stopping.abort();
          return void revalidate();
        }
        if (lacksMore(next, current)) throw new Error('a part cannot be read');
        failures = 0;
        current = next;
        advanceNow(next.nowMs);
        setLatest({ loaded, data: next });
        setState('live');
      } catch {
        if (signal.aborted) return;
        failures += 1;
        setState('late');
      } finally {
        isReading = false;
      }
      schedule();
    };
    const wake = () => {
      failures = 0;
      void read();
    };

    schedule();
    document.addEventListener('visibilitychange', wake, { signal });
    window.addEventListener('online', wake, { signal });
    window.addEventListener('offline', wake, { signal });
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, [loaded, path, everyMs, hasEnded, revalidate, advanceNow]);

  return { data, state };
}

const lacksMore = (next: LiveData, current: LiveData) =>
  Object.entries(next.missing ?? {}).some(([name, isMissing]) => isMissing && !current.missing?.[name]);

async function readJson<T>(path: string, signal: AbortSignal): Promise<T | 'gone'> {
  const response = await fetch(path, { signal, redirect: 'manual', headers: { Accept: 'application/json' } });
  if (response.type === 'opaqueredirect' || response.status === 404) return 'gone';
  if (!response.ok) throw new Error(`the figures responded with ${response.status}`);
  return (await response.json()) as T;
}
