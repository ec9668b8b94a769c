import type { Deadline } from '@shopscope/async';

/** A failure that a user can resolve; the message is one sentence. */
export class DemoUsageError extends Error {}

const putBackTimeoutMs = 5_000;

/** The movable clocks of all instances of a service, by their admin addresses. The service needs DEVELOPMENT_CLOCK. */
export function createClocks(service: string, adminUrls: readonly string[]) {
  const putEach = (body: object, timeoutMs: number, check: (url: string, answer: Answer) => void) =>
    Promise.all(
      adminUrls.map(async (url) => {
        const signal = AbortSignal.timeout(timeoutMs);
        const put = fetch(`${url}/development/clock`, { method: 'PUT', body: JSON.stringify(body), signal });
        const answer = await put
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch((error: Error) => ({ status: 0, text: error.message }));
        check(url, answer);
      }),
    );
  return {
    async moveTo(nowMs: number, deadline: Deadline): Promise<void> {
      await putEach({ now_ms: nowMs }, deadline.timeoutMs(), (url, { status, text }) => {
        if (status === 404)
          throw new DemoUsageError(`The service ${service} at ${url} runs without DEVELOPMENT_CLOCK=true.`);
        if (status !== 200) throw new DemoUsageError(`The service ${service} at ${url} did not move its time: ${text}`);
      });
    },
    /** Gives every instance its real time again. An instance does not respond -> it throws DemoUsageError with the remedy. */
    async putBack(): Promise<void> {
      await putEach({ offset_ms: 0 }, putBackTimeoutMs, (url, answer) => {
        // An instance without the setting responds with 404. Its time was never moved.
        if (answer.status === 200 || answer.status === 404) return;
        const message = `The time of ${service} at ${url} was not put back; restart it.`;
        throw new DemoUsageError(message, { cause: answer });
      });
    },
  };
}

interface Answer {
  /** 0 if the instance did not respond. */
  status: number;
  text: string;
}
