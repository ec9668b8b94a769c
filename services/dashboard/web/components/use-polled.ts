import { useEffect, useState } from 'react';

/**
 * Reads a resource again and again until `isDone`. It starts with what the server rendered. A failed request is repeated
 * at the next turn, so an interrupted connection only delays the value. Without script the first value stays.
 */
export function usePolled<T>(
  path: string,
  initial: T,
  { everyMs, isDone }: { everyMs: number; isDone(value: T): boolean },
): T {
  const [polled, setPolled] = useState<{ path: string; value: T }>();
  const value = polled?.path === path ? polled.value : initial;
  const done = isDone(value);
  useEffect(() => {
    if (done) return;
    const stopping = new AbortController();
    const read = async () => {
      const response = await fetch(path, { signal: stopping.signal, headers: { Accept: 'application/json' } });
      if (response.ok) setPolled({ path, value: (await response.json()) as T });
    };
    let isReading = false;
    const timer = setInterval(() => {
      if (isReading || document.hidden) return;
      isReading = true;
      read()
        .catch(() => {})
        .finally(() => {
          isReading = false;
        });
    }, everyMs);
    return () => {
      clearInterval(timer);
      stopping.abort();
    };
  }, [path, done, everyMs]);
  return value;
}
