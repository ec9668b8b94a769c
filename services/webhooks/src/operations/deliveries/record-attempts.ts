import { createDeadline, createKeyedBatcher, exponentialBackoff, retry } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { EndpointRef } from '../../domain/endpoint.ts';
import type { FailureStreak } from '../../domain/health.ts';
import type { Settlement } from '../../outbound/mongo/deliveries.ts';
import type { Released } from '../../outbound/mongo/queues.ts';
import type { Dependencies } from '../dependencies.ts';

const statementMs = 10_000;
/** A statement is repeated for this time. It ends before the lease does. */
const recordMs = 30_000;
const maxBatchSize = 200;

/** The attempt of a grant that has ended. */
export interface Release<E extends Environment> extends Omit<Released, 'slots'> {
  ref: EndpointRef<E>;
  token: string;
}

/**
 * Records attempts of one instance, and gives their places back.
 *
 * - Attempts that end while a statement runs share the next one, so a busy instance writes less often than it sends.
 * - A statement fails -> it is repeated for {@link recordMs}. Then it rejects for each of its attempts.
 */
export interface AttemptRecorder<E extends Environment> {
  settle(settlement: Settlement): Promise<void>;
  /** Resolves to the failures of the endpoint since its latest success, or null without any. */
  release(release: Release<E>): Promise<FailureStreak | null>;
}

export function createAttemptRecorder<E extends Environment>(
  deps: Pick<Dependencies<E>, 'deliveries' | 'queues' | 'clock' | 'metrics'>,
): AttemptRecorder<E> {
  const { deliveries, queues, clock, metrics } = deps;
  const repeat = <T>(work: () => Promise<T>) =>
    retry(work, {
      deadline: createDeadline(recordMs, { clock }),
      pauseMs: (n) => exponentialBackoff(n, { firstMs: 100, maxMs: 5_000 }),
      clock,
    });
  const serial = { waitForRunningMs: Number.POSITIVE_INFINITY, maxBatchSize, clock };
  const settles = createKeyedBatcher<Settlement>({
    ...serial,
    async run(settlements) {
      const recorded = await repeat(() => deliveries.settle(settlements, { maxTimeMS: statementMs }));
      metrics.lost.inc(settlements.length - recorded);
      return undefined;
    },
  });
  const releases = createKeyedBatcher<Release<E>, FailureStreak | null>({
    ...serial,
    keyOf: ({ ref }) => ref.id,
    async run(ended) {
      const [first] = ended;
      if (!first) return [];
      const now = new Date(clock.now());
      const streak = await repeat(() => queues.release(first.ref, together(ended), now, statementMs));
      return ended.map(() => streak);
    },
  });
  return { settle: (settlement) => settles.submit(settlement), release: (release) => releases.submit(release) };
}

function together(ended: readonly Omit<Released & { token: string }, 'slots'>[]): Released {
  const times = ended.flatMap(({ nextAt }) => nextAt ?? []).map((at) => at.getTime());
  return {
    slots: [...Map.groupBy(ended, ({ token }) => token)].map(([token, { length: n }]) => ({ token, n })),
    nextAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    hasSucceeded: ended.some(({ hasSucceeded }) => hasSucceeded),
    failed: ended.reduce((sum, { failed }) => sum + failed, 0),
  };
}
