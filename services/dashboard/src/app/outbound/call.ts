import { createDeadline, retry } from '@shopscope/async';
import { isRetryable } from '@shopscope/errors';
import type { CallOptions, GrpcClient, RequestOf, ResponseOf, UnaryDefinition } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';

const callTimeoutMs = 3_000;
const pausesMs = [50, 250];

/** The methods of another service, in the form that pages call. */
export type PageCalls<D extends UnaryDefinition> = {
  [M in keyof D]: (request: RequestOf<D[M]>, origin: Origin) => Promise<ResponseOf<D[M]>>;
};

/**
 * Calls another service for a page.
 *
 * - A broken connection -> at most two more attempts within the time limit. The call must be idempotent.
 * - The time limit is reached -> `internal`. The page shows that its data is missing.
 */
export function callService<Result>(run: (options: CallOptions) => Promise<Result>, origin: Origin): Promise<Result> {
  const deadline = createDeadline(callTimeoutMs);
  const pauseMs = (attempt: number, error: unknown) => (isRetryable(error) ? pausesMs[attempt - 1] : undefined);
  return retry(() => run({ deadline, origin }), { deadline, pauseMs });
}

/** The named methods of the client, called by {@link callService}. Each may be retried, so each must be idempotent. */
export function pageCalls<D extends UnaryDefinition, M extends keyof D & string>(
  client: GrpcClient<D>,
  ...methods: readonly M[]
): Pick<PageCalls<D>, M> {
  const calls = methods.map((name) => [
    name,
    (request: RequestOf<D[M]>, origin: Origin) => callService((options) => client[name](request, options), origin),
  ]);
  return Object.fromEntries(calls);
}

/** Calls another service once, because a second call would do the work twice. */
export const callServiceOnce = <Result>(
  run: (options: CallOptions) => Promise<Result>,
  origin: Origin,
): Promise<Result> => run({ deadline: createDeadline(callTimeoutMs), origin });
