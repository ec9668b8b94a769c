import { type Deadline, type KeyedBatcher, retry } from '@shopscope/async';
import { AppError, type ErrorCode } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';
import type { CallOptions } from './client.ts';

/**
 * gRPC calls of other services.
 *
 * Failures:
 * - A connection breaks -> the call is retried on another instance, at most twice and within the deadline. Every call is
 *   idempotent: reads change nothing, and writes carry their ids.
 * - The deadline has expired or was cancelled -> the call rejects with the deadline's own error, and nothing is sent.
 * - Any other failure -> `internal`. Only the log names the service that failed.
 */
export type PeerCall = { deadline: Deadline } & Pick<CallOptions, 'origin' | 'origins'>;

const pausesMs = [25, 150];

/** Makes a call for one request. */
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

/** Makes a call for one request. A refusal that is meant for the caller ({@link refusalCodes}) is thrown as the peer gave it. */
export async function callPeerForCaller<Result>(
  run: (options: CallOptions) => Promise<Result>,
  call: PeerCall,
): Promise<Result> {
  const answer = await callPeer(async (options) => {
    try {
      return { result: await run(options) };
    } catch (error) {
      const refusal = AppError.from(error);
      if (!refusalCodes.includes(refusal.code)) throw error;
      return { refusal };
    }
  }, call);
  if ('refusal' in answer) throw answer.refusal;
  return answer.result;
}

const refusalCodes: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'payment_required',
  'not_found',
  'conflict',
  'concurrency_limited',
];

/** Adds an item to a batch and waits for its result, at most until its own deadline. */
export async function joinBatch<Item, Result>(
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

/** Makes the call of a batch. `joinBatch` translates its failure for each item. */
export function callForBatch<Result>(run: (options: CallOptions) => Promise<Result>, call: PeerCall): Promise<Result> {
  return retry(() => run(call), { deadline: call.deadline, pauseMs });
}

/** Resolves to the answer of a call, or to undefined if it fails with `not_found`. */
export async function unlessNotFound<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (AppError.from(error).code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Resolves to the answer of a call, or to its refusal `invalid_request`: the input of the caller is invalid, which only the peer can know.
 * Other failures reject. Use it inside of {@link callPeer}, which makes each failure `internal`, and throw the refusal.
 */
export async function orRefusal<Answer>(call: Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error;
    throw error;
  }
}

/** Resolves to the answer of a call, or to its failure `unavailable`. Without it, {@link callPeer} repeats the call and makes it `internal`. */
export async function orUnavailable<Answer>(call: Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return error;
    throw error;
  }
}

/** Returns the distinct origins of a batch. */
export function originsOf(items: readonly { origin: Origin }[]): Origin[] {
  return [...new Set(items.map(({ origin }) => origin))];
}

/** The key of a batcher whose batches make one call each: a call has requests of one environment. */
export const environmentOf = ({ origin }: { origin: Origin }): string => origin.environment ?? '';

const pauseMs = (attempt: number, error: unknown) =>
  error instanceof AppError && error.code === 'unavailable' ? pausesMs[attempt - 1] : undefined;

export function toInternal(error: unknown): AppError {
  return new AppError('internal', 'The service could not answer; retry in a few seconds.', { cause: error });
}
