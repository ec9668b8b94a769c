import type { Deadline } from '@shopscope/async';
import { DemoUsageError } from './error.ts';

/** The movable clocks of all instances of metering, by their admin addresses. */
export interface Clocks {
  moveTo(nowMs: number, deadline: Deadline): Promise<void>;
  /** Gives every instance its real time again. An instance does not answer -> DemoUsageError with the remedy. */
  putBack(): Promise<void>;
}

const putBackTimeoutMs = 5_000;

export function createClocks(adminUrls: readonly string[]): Clocks {
  const put = async (url: string, body: object, timeoutMs: number) => {
    const response = await fetch(`${url}/development/clock`, {
      method: 'PUT',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    async moveTo(nowMs, deadline) {
      await Promise.all(
        adminUrls.map(async (url) => {
          const { status, text } = await put(url, { now_ms: nowMs }, deadline.timeoutMs());
          if (status === 404) throw new DemoUsageError(`Metering at ${url} runs without DEVELOPMENT_CLOCK=true.`);
          if (status !== 200) throw new DemoUsageError(`Metering at ${url} did not move its time: ${text}`);
        }),
      );
    },
    async putBack() {
      await Promise.all(
        adminUrls.map(async (url) => {
          const answer = await put(url, { offset_ms: 0 }, putBackTimeoutMs).catch((error: unknown) => ({ error }));
          // Without the setting there is no time that was moved.
          if ('status' in answer && (answer.status === 200 || answer.status === 404)) return;
          const message = `The time of metering at ${url} was not put back; restart it.`;
          throw new DemoUsageError(message, { cause: answer });
        }),
      );
    },
  };
}
