import { waitingTime } from '../../app/domain/throttle-limits.ts';
import type { ListStep } from '../operations/store-lists.ts';
import { hasEnded, type ListStatus } from './load-store-list.ts';

/** The response to the request for the next batch: the stored state of the list, with the entries of the shown page. */
export type ListRunAnswer = ({ outcome: ListStep } & ListStatus) | { outcome: 'failed'; message: string };

interface ListRun {
  /** Requests the next batch. */
  fetchNext(): Promise<Response>;
  /** Ends early if `signal` aborts. */
  pause(ms: number): Promise<void>;
  /** Aborts when the list is paused or the page is left. */
  signal: AbortSignal;
  /** Also called for the batch that was running at a pause. */
  onStatus(status: ListStatus): void;
  onBatch(): void;
  onWait(text: string): void;
  onStop(text: string | undefined): void;
}

type Failure = { outcome: 'failed'; message: string; isPassing: boolean; retryAfterMs: number | undefined };

const busyPauseMs = 2_000;
/** A longer Retry-After stops the list, and a person has to resume it. */
const longestWaitMs = 120_000;
/** The maximum number of tries in a row without a finished batch. */
const maxTries = 10;

/**
 * Runs the batches of a list one after the other.
 *
 * - 429 and 5xx, of the API and of the dashboard -> waits for its Retry-After and tries again, at most {@link maxTries} times in a row. A
 *   Retry-After above {@link longestWaitMs} stops the list. A lost connection, or no Retry-After -> waits longer after each try.
 * - Every other failure -> stops, with a message.
 * - `signal` aborts -> the running batch ends on the server and is billed. No other batch begins.
 */
export async function runBatches(run: ListRun): Promise<void> {
  for (let tries = 0; !run.signal.aborted; ) {
    const answer = await nextBatch(run);
    if (answer.outcome !== 'failed') run.onStatus(answer);
    if (run.signal.aborted) return;
    if (answer.outcome !== 'failed' && hasEnded(answer)) return run.onStop(undefined);
    if (answer.outcome === 'ran') {
      run.onBatch();
      tries = 0;
      continue;
    }
    tries += 1;
    const { message, isPassing, retryAfterMs } = answer.outcome === 'failed' ? answer : underWay;
    if (!isPassing || tries >= maxTries) return run.onStop(message);
    const waitMs = retryAfterMs ?? busyPauseMs * tries;
    if (waitMs > longestWaitMs) return run.onStop(`${message} Resume the list in ${waitingTime(waitMs / 1_000)}.`);
    run.onWait(`${message} Next try in ${Math.ceil(waitMs / 1_000)} s.`);
    await run.pause(waitMs);
  }
}

const failure = (message: string, isPassing: boolean, retryAfterMs?: number): Failure => ({
  outcome: 'failed',
  message,
  isPassing,
  retryAfterMs,
});
const underWay = failure('A batch of this list is under way already.', true);
const noAnswer = failure('The dashboard did not answer.', true);

async function nextBatch({ fetchNext }: ListRun): Promise<Exclude<ListRunAnswer, { outcome: 'failed' }> | Failure> {
  try {
    const response = await fetchNext();
    const { status } = response;
    if (response.type === 'opaqueredirect' || status === 404) {
      return failure('The session has ended, or the list is gone. Load the page again.', false);
    }
    // Responses to limits of the dashboard, and of a proxy in front of it, have other bodies.
    const answer = (await response.json().catch(() => undefined)) as
      | ListRunAnswer
      | { outcome?: undefined }
      | undefined;
    if (answer?.outcome !== undefined && answer.outcome !== 'failed') return answer;
    if (response.ok) return noAnswer;
    const message = answer?.outcome === 'failed' ? answer.message : 'The dashboard refused the request.';
    return failure(message, status === 429 || status >= 500, retryAfterMsOf(response));
  } catch {
    return noAnswer;
  }
}

function retryAfterMsOf(response: Response): number | undefined {
  const seconds = response.headers.get('Retry-After') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Math.max(1, Number(seconds)) * 1_000 : undefined;
}
