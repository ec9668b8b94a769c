import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface WaitOptions {
  /** Default 60,000. */
  timeoutMs?: number;
  /** The time between two calls of the condition, in ms. Default: it grows from 10 to 200 with the time waited. */
  intervalMs?: number;
}

/** A condition that asks a server costs the CPU that the awaited work needs. Long waits therefore poll less often. */
const [minPauseMs, maxPauseMs] = [10, 200];
const longer = (pauseMs: number) => Math.min(maxPauseMs, pauseMs * 1.5);

export type Truthy<T> = Exclude<T, undefined | null | false | 0 | 0n | ''>;

/**
 * Calls the condition repeatedly until it returns a truthy value, and resolves with that value.
 * - The condition throws or rejects -> it is called again.
 * - `timeoutMs` have passed -> rejects with an error that contains `what` and the last value or error, even if a call of the condition
 *   never ends.
 *
 * Fake timers of a test do not affect it.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Truthy<T>> {
  const { timeoutMs = 60_000 } = options;
  const over = new AbortController();
  const { signal } = over;
  let last = 'the condition has not returned';
  let cause: unknown;

  const poll = async () => {
    for (let pauseMs = options.intervalMs ?? minPauseMs; ; pauseMs = options.intervalMs ?? longer(pauseMs)) {
      try {
        const value = await condition();
        if (value) return value as Truthy<T>;
        [last, cause] = [`the last value was ${inspect(value)}`, undefined];
      } catch (error) {
        [last, cause] = [`the last error was ${error instanceof Error ? error.message : inspect(error)}`, error];
      }
      await delay(pauseMs, undefined, { signal });
    }
  };
  const timeout = async () => {
    await delay(timeoutMs, undefined, { signal });
    throw new Error(`waited ${timeoutMs} ms for ${what}; ${last}`, { cause });
  };
  try {
    return await Promise.race([poll(), timeout()]);
  } finally {
    over.abort();
  }
}
