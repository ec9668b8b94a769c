/** The outcome of `work`, or a rejection with the reason of `abort` as soon as it aborts. `work` itself goes on. */
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
