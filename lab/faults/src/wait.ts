export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, Math.max(0, ms)));

/** Calls `ask` until its result is not undefined, and resolves to it. Resolves to undefined after `timeoutMs`. An error counts as undefined. */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  { timeoutMs, everyMs = 100 }: { timeoutMs: number; everyMs?: number },
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const result = await ask().catch(() => undefined);
    if (result !== undefined) return result;
    if (performance.now() >= endMs) return undefined;
    await sleep(everyMs);
  }
}

/** Calls `send` at an even rate until `isOver`, whether or not earlier calls have ended. */
export async function atRate(perSecond: number, isOver: () => boolean, send: () => void): Promise<void> {
  for (let nextMs = performance.now(); ; nextMs += 1_000 / perSecond) {
    await sleep(nextMs - performance.now());
    if (isOver()) return;
    send();
  }
}
