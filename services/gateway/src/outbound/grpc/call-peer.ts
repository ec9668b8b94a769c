import { type Deadline, type KeyedBatcher, retry } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { CallOptions } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';

/**
 * Calls of neighbouring services.
 *
 * - A connection breaks -> the call is repeated on another instance, twice at most and within the deadline. Every call is
 *   safe to repeat: reads change nothing, and writes carry their ids.
 * - The deadline has expired or was cancelled -> its own error, and nothing is asked.
 * - Any other failure -> `internal`. Which neighbour failed is for the log alone.
 */
export type PeerCall = { deadline: Deadline } & Pick<CallOptions, 'origin' | 'origins'>;

const pausesMs = [25, 150];
/** Origins are for logs: a few name a batch well enough. */
const maxOriginsPerCall = 20;

/** One caller's own call. */
export async function callPeer<Result>(
  run: (options: CallOptions) => Promise<Result>,
  call: PeerCall,
): Promise<Result> {
  call.deadline.timeoutMs();
  try {
    return await callForBatch(run, call);
  } catch (error) {
    throw toInternal(error);
  }
}

/** One caller's part of a shared call. It waits until its own deadline and no longer. */
export async function joinCall<Item, Result>(
  calls: KeyedBatcher<Item, Result>,
  item: Item,
  deadline: Deadline,
): Promise<Result> {
  deadline.timeoutMs();
  try {
    return await calls.submit(item, deadline);
  } catch (error) {
    throw toInternal(error);
  }
}

/** A call for the callers of a batch; `joinCall` translates its failure for each of them. */
export function callForBatch<Result>(run: (options: CallOptions) => Promise<Result>, call: PeerCall): Promise<Result> {
  return retry(() => run(call), { deadline: call.deadline, pauseMs });
}

export function originsOf(items: readonly { origin: Origin }[]): Origin[] {
  return [...new Set(items.map(({ origin }) => origin))].slice(0, maxOriginsPerCall);
}

const pauseMs = (attempt: number, error: unknown) =>
  error instanceof AppError && error.code === 'unavailable' ? pausesMs[attempt - 1] : undefined;

function toInternal(error: unknown): AppError {
  return new AppError('internal', 'The service could not answer; retry in a few seconds.', { cause: error });
}
