/**
 * Maps items concurrently, at most `window` at a time, and yields results in the order of the items.
 *
 * - A result is yielded as soon as all results before it have been, also while the source is slow.
 * - A rejection, also of the source, ends the iteration after the results before it.
 * - The signal is aborted -> rejects with its reason, also while the source is silent.
 * - The consumer or an error ends the iteration -> the source is ended too.
 */
export async function* mapInOrder<T, R>(
  source: AsyncGenerator<T, void, undefined>,
  window: number,
  map: (item: T) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  let pull: Promise<{ pulled: IteratorResult<T, void> } | { failure: unknown }> | undefined;
  let hasMore = true;
  let failure: { error: unknown } | undefined;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    signal.throwIfAborted();
    for (;;) {
      if (hasMore && running.length < window) {
        pull ??= source.next().then(
          (pulled) => ({ pulled }),
          (error: unknown) => ({ failure: error }),
        );
      }
      const head = running[0];
      if (!head && !pull) {
        if (failure) throw failure.error;
        return;
      }
      const first = await Promise.race([
        ...(head ? [head.then((result) => ({ result }))] : []),
        ...(pull ? [pull] : []),
        aborted,
      ] as const);
      if ('result' in first) {
        running.shift();
        yield first.result;
        continue;
      }
      pull = undefined;
      if ('failure' in first) failure = { error: first.failure };
      if ('failure' in first || first.pulled.done) {
        hasMore = false;
        continue;
      }
      const mapped = map(first.pulled.value);
      mapped.catch(() => undefined);
      running.push(mapped);
    }
  } finally {
    // A source that waits for its next item ends after it.
    void source.return().catch(() => undefined);
  }
}
