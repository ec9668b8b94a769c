import { createCircuitBreaker } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { createCompensationQueue, type RedisCommand } from './compensation-queue.ts';

/**
 * Calls Redis behind one circuit breaker per node. Callers decide what to do without Redis.
 *
 * Failures:
 * - A call fails -> the breaker of its node opens for one second, then one call probes the node. An unavailable node therefore delays
 *   one request per second by the time limit, not every request. Calls to other nodes of a cluster go on.
 * - A slot of a cluster is moving -> the call may fail, and Redis has not run it. The breaker stays closed, because the other slots of the
 *   node are served.
 * - A call exceeds its time limit -> a suspended Redis can still run it later. Releases that failed or were postponed are
 *   sent before the next call, on the same connection and thus in this order. No request therefore encounters a slot or
 *   lock without an owner. (In a cluster a redirected release may come later than the call.)
 */
export type RedisCircuitBreaker = ReturnType<typeof createRedisCircuitBreaker>;

const probeIntervalMs = 1_000;
const maxNodes = 1_000;

export class RedisUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is unavailable', options);
    this.name = 'RedisUnavailableError';
  }
}

export function createRedisCircuitBreaker(redis: Redis, clock: Pick<Clock, 'monotonicMs'>) {
  const createState = () => ({
    releases: createCompensationQueue(redis),
    breaker: createCircuitBreaker({ failures: 1, probeIntervalMs, clock }),
  });
  /** By node. Nodes can get new addresses, so the oldest ones are dropped beyond {@link maxNodes}. */
  const states = new Map<string, ReturnType<typeof createState>>();
  const stateOf = (id: string) => {
    const found = states.get(id);
    if (found) return found;
    for (const oldest of states.keys()) {
      if (states.size < maxNodes) break;
      states.delete(oldest);
    }
    const created = createState();
    states.set(id, created);
    return created;
  };

  return {
    slots: redis.slots,
    slotOf: redis.slotOf,
    keyIn: redis.keyIn,
    /**
     * Runs a call whose keys are in the slot of `key`. Rejects with `RedisUnavailableError` if the call fails, and at once while the
     * breaker of the node is open. `release` undoes a failed call that Redis may have run.
     */
    async run<Result>(key: string, work: (redis: Redis) => Promise<Result>, release?: RedisCommand): Promise<Result> {
      const node = redis.nodeOf(key);
      const { releases, breaker } = stateOf(node.id);
      if (!node.available || !breaker.admits()) throw new RedisUnavailableError();
      releases.flush();
      try {
        const result = await work(redis);
        breaker.succeeded();
        return result;
      } catch (error) {
        const unavailable = new RedisUnavailableError({ cause: error });
        if (isSlotMoving(unavailable)) {
          breaker.succeeded();
          throw unavailable;
        }
        breaker.failed();
        if (release) releases.add(release);
        throw unavailable;
      }
    },
    /**
     * Runs a command for the slot of `key` now, or when its node is available again. It never rejects. The command may run several
     * times.
     */
    async release(key: string, command: RedisCommand): Promise<void> {
      const node = redis.nodeOf(key);
      const { releases, breaker } = stateOf(node.id);
      if (node.available && !breaker.open) await releases.attempt(command);
      else releases.add(command);
    },
  };
}

/** Whether the node responds, and did not run the call because its slot is moving to another node. */
export const isSlotMoving = (error: unknown): boolean =>
  error instanceof RedisUnavailableError &&
  error.cause instanceof Error &&
  /\b(TRYAGAIN|MOVED|ASK)\b/.test(error.cause.message);
