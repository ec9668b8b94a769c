export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, Math.max(0, ms)));

/** Asks again and again until the answer is not undefined; undefined when the time is over. Errors count as no answer. */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  { timeoutMs, everyMs = 100 }: { timeoutMs: number; everyMs?: number },
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() >= endMs) return undefined;
    await sleep(everyMs);
  }
}
