import { createKeyedSlots, createRateLimiter, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { CallerPlan } from '../../keys/caller.ts';

/**
 * Spreads the batches of one workspace over time, so that other workspaces' requests wait behind few of them, however many
 * its keys may send at once.
 *
 * - Order: the batches of a workspace begin in the order of their calls. Workspaces do not wait for each other.
 * - A batch begins when the domains of the workspace's running batches leave room for its own, or when none runs.
 * - Rate: after two batches at once, the batches of a workspace begin at the average that its plan admits in a minute. In a plan
 *   with few requests a minute they begin faster: a batch never waits longer than four seconds for the rate alone.
 * - The deadline passes or the caller disconnects while its batch waits -> the batch never begins.
 * - Bound: what waits holds a concurrency slot of its key until its caller disconnects, and then at most the rest of its deadline without one.
 */
export type WorkspaceTurns = ReturnType<typeof createWorkspaceTurns>;

export interface Batch {
  workspaceId: string;
  plan: Pick<CallerPlan, 'rpm' | 'concurrency' | 'enrichBatchMax'>;
  domains: number;
  deadline: Deadline;
}

/** Two full batches: one is prepared while the other one waits for a service. */
const maxDomains = 200;
/** In this time the batches of all slots of a key have begun. */
const allSlotsMs = 4_000;

export function createWorkspaceTurns(options: {
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Number of gateways, which share the rate of a workspace. */
  replicas: number;
}) {
  const { clock, replicas } = options;
  /** Only the oldest batch of a workspace asks for room and for its rate. */
  const turns = createKeyedSlots({ maxPerKey: 1 });
  const room = createKeyedSlots({ maxPerKey: maxDomains });
  /** In milliseconds of a workspace's rate. */
  const rates = createRateLimiter({ clock });
  let waiting = 0;

  const costMsOf = ({ plan, domains }: Batch) => {
    const batchesPerMs = Math.max(plan.rpm / (60_000 * replicas), plan.concurrency / allSlotsMs);
    return domains / (batchesPerMs * plan.enrichBatchMax);
  };

  /** Resolves when the batch may begin, with the function that ends it. It awaits nothing that is free, so batches keep their order. */
  const begin = async (batch: Batch): Promise<() => void> => {
    const { workspaceId, domains, deadline } = batch;
    const within = (turn: Promise<void>) => deadline.race(turn);
    const turn = turns.take(workspaceId, within);
    const endTurn = turn instanceof Promise ? await turn : turn;
    let end = () => {};
    const leaving = new AbortController();
    try {
      const isIdle = room.taken(workspaceId) === 0;
      const taken = room.take(workspaceId, within, { weight: domains });
      end = taken instanceof Promise ? await taken : taken;
      const costMs = costMsOf(batch);
      const rate = rates.of(workspaceId, { max: costMs, perMs: 1 });
      // Without running batches and without debts, two may begin at once again.
      if (isIdle && rate.waitMs(0) === 0) rate.spend(-costMs);
      for (let waitMs = rate.waitMs(0); waitMs > 0; waitMs = rate.waitMs(0)) {
        await deadline.race(clock.sleep(waitMs, leaving.signal));
      }
      // Throws when the caller has disconnected.
      deadline.timeoutMs();
      rate.spend(costMs);
      return end;
    } catch (error) {
      end();
      throw error;
    } finally {
      // Ends the sleep of a caller that has disconnected.
      leaving.abort();
      endTurn();
    }
  };

  return {
    /** Batches of all workspaces that have not begun. */
    get waiting() {
      return waiting;
    },
    async run<T>(batch: Batch, work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const end = await begin(batch).finally(() => {
        waiting -= 1;
      });
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
