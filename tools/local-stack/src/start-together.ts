import type { StackPart } from './part.ts';
import type { Servers } from './stack-options.ts';

export type Started<Parts> = Parts & {
  parts: readonly StackPart[];
  /** Stops the servers in the reverse order of their start. */
  stop(): Promise<void>;
};

/** Starts the servers of a stack together. Failure of one -> throws its error, and nothing is left running. */
export async function startTogether<Parts extends Partial<Servers>>(
  make: (abort: AbortSignal) => Promise<Parts>,
  abort: AbortSignal | undefined,
): Promise<Started<Parts>> {
  const failure = new AbortController();
  const servers = await make(AbortSignal.any([failure.signal, ...(abort ? [abort] : [])]));
  const { mongodb, kafka, redis, opensearch } = servers;
  const parts = [mongodb, kafka, redis, opensearch].filter((part) => part !== undefined);
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop();
  };
  for (const part of parts) await part.prepare?.();
  // The first failure aborts the other starts, so that a missing JDK is reported before a long download ends.
  await Promise.all(parts.map((part) => part.start().catch((error: unknown) => failure.abort(error))));
  if (failure.signal.aborted) {
    await stop();
    abort?.throwIfAborted();
    throw failure.signal.reason;
  }
  return { ...servers, parts, stop };
}
