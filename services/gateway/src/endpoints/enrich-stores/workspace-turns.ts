import { createKeyedSlots, createRateLimiter, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Caller, CallerPlan } from '../../keys/caller.ts';

/**
 * Spreads the batches of one workspace over time. Requests of other workspaces then wait behind few of these batches, however many the keys
 * of the workspace may send at once.
 *
 * - Order: the batches of a workspace begin in the order of their calls. Workspaces do not wait for each other.
 * - Environment: the batches of test keys have turns and a rate of their own, so they never delay the live batches of their workspace.
 * - A batch begins when the running batches of the workspace leave room for its domains, or when no batch runs.
 * - Rate: two batches begin at once. Further batches of the workspace begin at the average rate that its plan admits in a minute. A plan
 *   with few requests per minute has a higher rate: full batches of all concurrency slots of a key begin within four seconds. A larger
 *   batch, of a document, delays the next one by at most four seconds. So does a batch whose work was larger than that of its domains.
 * - The deadline passes while its batch waits -> `concurrency_limited`; the caller disconnects -> the deadline's error. The batch never begins.
 * - Bound: a waiting batch holds a concurrency slot. When its caller disconnects, it gives the slot up and ends by its deadline.
 */
export type WorkspaceTurns = ReturnType<typeof createWorkspaceTurns>;

export interface Batch {
  caller: Pick<Caller, 'workspaceId' | 'keyEnvironment'> & {
    plan: Pick<CallerPlan, 'rpm' | 'concurrency' | 'enrichBatchMax'>;
  };
  domains: number;
  deadline: Deadline;
  /** Returns the number of domains that take as long as the work that the batch has done. Called when it has ended, also if it has failed. */
  doneDomains?(): number;
}

/** Two full batches: one is prepared while the other one waits for a service. */
const maxDomains = 200;
/** Within this time, the batches of all concurrency slots of a key have begun. */
const allSlotsMs = 4_000;

const tooManyBatches = (cause: unknown) =>
  new AppError('concurrency_limited', 'The workspace has too many batches in progress; retry when some have ended.', {
    details: { retry_after: 1 },
    cause,
  });

export function createWorkspaceTurns(options: {
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** The number of gateways. They share the rate of a workspace. */
  replicas: number;
}) {
  const { clock, replicas } = options;
  /** Only the oldest batch of a workspace waits for room and for its rate. */
  const turns = createKeyedSlots({ maxPerKey: 1 });
  const room = createKeyedSlots({ maxPerKey: maxDomains });
  /** The unit is a millisecond of a workspace's rate. */
  const rates = createRateLimiter({ clock });
  let waiting = 0;

  const ownerOf = ({ caller }: Batch) => `${caller.workspaceId}/${caller.keyEnvironment}`;

  const costMsOf = ({ caller: { plan } }: Batch, domains: number) => {
    const batchesPerMs = Math.max(plan.rpm / (60_000 * replicas), plan.concurrency / allSlotsMs);
    return Math.min(domains / (batchesPerMs * plan.enrichBatchMax), allSlotsMs);
  };

  /** Resolves to the function that ends the batch, when the batch may begin. It never awaits a free slot, so batches keep their order. */
  const begin = async (batch: Batch): Promise<() => void> => {
    const { domains, deadline } = batch;
    const owner = ownerOf(batch);
    const within = (turn: Promise<void>) => deadline.race(turn);
    const turn = turns.take(owner, within);
    const endTurn = turn instanceof Promise ? await turn : turn;
    let end = () => {};
    /** Undefined if the batch begins without a sleep. */
    let leaving: AbortController | undefined;
    try {
      const isIdle = room.taken(owner) === 0;
      const taken = room.take(owner, within, { weight: domains });
      end = taken instanceof Promise ? await taken : taken;
      const costMs = costMsOf(batch, domains);
      const rate = rates.of(owner, { max: costMs, perMs: 1 });
      // If no batch runs and the workspace is not ahead of its rate, two batches may again begin at the same time.
      if (isIdle && rate.waitMs(0) === 0) rate.spend(-costMs);
      for (let waitMs = rate.waitMs(0); waitMs > 0; waitMs = rate.waitMs(0)) {
        leaving ??= new AbortController();
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
      // Ends the sleep if the caller has disconnected.
      leaving?.abort();
      endTurn();
    }
  };

  /** Spends the work that its domains do not account for. */
  const spendFurther = (batch: Batch) => {
    const { domains, doneDomains } = batch;
    const further = (doneDomains?.() ?? 0) - domains;
    if (further <= 0) return;
    const max = costMsOf(batch, domains);
    rates.of(ownerOf(batch), { max, perMs: 1 }).spend(costMsOf(batch, further));
  };

  return {
    /** The number of batches of all workspaces that have not begun. */
    get waiting() {
      return waiting;
    },
    async run<T>(batch: Batch, work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const { deadline } = batch;
      const end = await begin(batch)
        .catch((error: unknown) => {
          throw deadline.expired && !deadline.cancelled ? tooManyBatches(error) : error;
        })
        .finally(() => {
          waiting -= 1;
        });
      try {
        return await work();
      } finally {
        spendFurther(batch);
        end();
      }
    },
  };
}
