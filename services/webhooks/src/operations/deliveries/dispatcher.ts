import type { Environment } from '@shopscope/environment';
import { fairOrder } from '../../domain/fair-order.ts';
import { maxInFlight } from '../../domain/health.ts';
import type { ReadyQueue } from '../../outbound/mongo/queues.ts';
import type { Dependencies } from '../dependencies.ts';
import { deliver } from './deliver.ts';
import { createAttemptRecorder } from './record-attempts.ts';
import { takeTurn } from './take-turn.ts';

/** The ready queues that one run examines. */
const maxCandidates = 500;
/** The queues that are asked at the same time. */
const maxTurns = 20;
/** A workspace has at most this part of the attempts of an instance. */
const shareOfWorkspace = 0.25;
/** Endpoints with many failures together have at most this part, because each of their attempts may take the whole time limit. */
const shareOfSlow = 0.5;
const timeoutMs = 10_000;

/**
 * Sends due deliveries.
 *
 * - Fairness: workspaces take turns, and so do the endpoints of a workspace. A slow endpoint only keeps its own attempts.
 * - Bounds: `maxAttempts` attempts at the same time, a quarter of them for one workspace, half of them for slow endpoints, and what the queue of each endpoint grants.
 * - The work of a turn fails -> the failure is logged, and the deliveries are due again after their leases.
 */
export interface Dispatcher {
  /** Begins the attempts that are due. Resolves to whether some have begun. The attempts themselves continue. */
  run(): Promise<boolean>;
  /** Resolves when no attempt is being made. */
  settled(): Promise<void>;
  readonly inFlight: number;
}

export function createDispatcher<E extends Environment>(
  deps: Dependencies<E>,
  { maxAttempts }: { maxAttempts: number },
): Dispatcher {
  const recorder = createAttemptRecorder(deps);
  const running = new Set<Promise<void>>();
  const ofWorkspace = new Map<string, number>();
  let inFlight = 0;
  let slowInFlight = 0;
  const maxSlow = Math.floor(maxAttempts * shareOfSlow);
  const maxPerWorkspace = Math.max(maxInFlight, Math.floor(maxAttempts * shareOfWorkspace));

  const count = ({ ref: { workspaceId }, isSlow }: ReadyQueue<E>, n: number) => {
    inFlight += n;
    if (isSlow) slowInFlight += n;
    const own = (ofWorkspace.get(workspaceId) ?? 0) + n;
    if (own > 0) ofWorkspace.set(workspaceId, own);
    else ofWorkspace.delete(workspaceId);
    deps.metrics.inFlight(deps.environment, inFlight);
  };
  const roomOf = ({ ref, isSlow }: ReadyQueue<E>) =>
    Math.min(
      isSlow ? Math.min(1, maxSlow - slowInFlight) : maxInFlight,
      maxAttempts - inFlight,
      maxPerWorkspace - (ofWorkspace.get(ref.workspaceId) ?? 0),
    );

  const begin = async (queue: ReadyQueue<E>): Promise<boolean> => {
    const { id: endpointId } = queue.ref;
    const want = roomOf(queue);
    if (want <= 0) return false;
    // The places are taken before the first await, so that turns that run at the same time do not exceed the bounds.
    count(queue, want);
    let left = want;
    try {
      const turn = await takeTurn(deps, queue.ref, want);
      if (!turn) return false;
      count(queue, turn.deliveries.length - left);
      left = 0;
      for (const delivery of turn.deliveries) {
        const sending = deliver(deps, recorder, turn, delivery)
          .catch((error) =>
            deps.logger.error({ err: error, endpointId }, 'a delivery failed; it is due again after its lease'),
          )
          .finally(() => {
            running.delete(sending);
            count(queue, -1);
          });
        running.add(sending);
      }
      return true;
    } catch (error) {
      deps.logger.error({ err: error, endpointId }, 'the turn of an endpoint failed; another one follows');
      return false;
    } finally {
      count(queue, -left);
    }
  };

  return {
    async run() {
      if (inFlight >= maxAttempts) return false;
      const now = new Date(deps.clock.now());
      // Slow endpoints that wait for room would otherwise fill the search, and no other one would be found.
      const kinds = slowInFlight < maxSlow ? [false, true] : [false];
      const found = await Promise.all(
        kinds.map((isSlow) => deps.queues.listReady(now, isSlow, maxCandidates, timeoutMs)),
      );
      const ready = fairOrder(found.flat());
      let hasBegun = false;
      const worker = async () => {
        for (let next = ready.shift(); next && inFlight < maxAttempts; next = ready.shift()) {
          if (await begin(next)) hasBegun = true;
        }
      };
      await Promise.all(Array.from({ length: maxTurns }, worker));
      return hasBegun;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    get inFlight() {
      return inFlight;
    },
  };
}
