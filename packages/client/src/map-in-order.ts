/**
 * Maps items concurrently, at most `window` at a time, and yields results in the order of the items.
 *
 * - A result is yielded as soon as all results before it have been, even while the source is slow.
 * - A rejection, also of the source, ends the iteration after the results before it.
 * - The signal is aborted -> rejects with its reason, even while the source is silent.
 * - The consumer or an error ends the iteration -> the source is ended too.
 * - No promise outlives its item. `Promise.race` with one that does would hold every result of the iteration.
 */
export async function* mapInOrder<T, R>(
  source: AsyncGenerator<T, void, undefined>,
  window: number,
  map: (item: T) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  const running: { outcome?: PromiseSettledResult<R> }[] = [];
  let pulled: PromiseSettledResult<IteratorResult<T, void>> | undefined;
  let isPulling = false;
  let hasMore = true;
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  const settle = <V>(promise: Promise<V>, keep: (outcome: PromiseSettledResult<V>) => void) =>
    promise
      .then(
        (value) => keep({ status: 'fulfilled', value }),
        (reason: unknown) => keep({ status: 'rejected', reason }),
      )
      .then(() => wake());
  const abort = () => wake();
  signal.addEventListener('abort', abort);

  try {
    for (;;) {
      signal.throwIfAborted();
      const head = running[0]?.outcome;
      if (head) {
        running.shift();
        if (head.status === 'rejected') throw head.reason;
        yield head.value;
        continue;
      }
      if (pulled) {
        const item = pulled;
        pulled = undefined;
        if (item.status === 'rejected') failure = { error: item.reason };
        if (item.status === 'rejected' || item.value.done) hasMore = false;
        else {
          const entry: (typeof running)[number] = {};
          running.push(entry);
          settle(map(item.value.value), (outcome) => (entry.outcome = outcome));
        }
        continue;
      }
      if (!hasMore && running.length === 0) {
        if (failure) throw failure.error;
        return;
      }
      const woken = new Promise<void>((resolve) => (wake = resolve));
      if (hasMore && !isPulling && running.length < window) {
        isPulling = true;
        settle(source.next(), (outcome) => {
          isPulling = false;
          pulled = outcome;
        });
      }
      await woken;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A source that waits for its next item ends after it.
    void source.return().catch(() => undefined);
  }
}
