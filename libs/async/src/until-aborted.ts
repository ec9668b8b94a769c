/** Settles as `work` does, or rejects with the reason of `abort` as soon as it aborts. `work` itself continues. */
export async function untilAborted<T>(abort: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(abort.reason);
  abort.addEventListener('abort', onAbort, { once: true });
  if (abort.aborted) onAbort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    abort.removeEventListener('abort', onAbort);
  }
}
