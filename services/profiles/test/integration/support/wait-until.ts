import { setTimeout as delay } from 'node:timers/promises';

/** Asks `probe` again until it answers; rejects, naming `what`, after `timeoutMs`. For use in and outside tests. */
export async function waitUntil<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 20_000,
): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (performance.now() > endMs) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await delay(20);
  }
}
