/**
 * Bounds the work that runs at the same time for one key.
 *
 * - The key has no free slot -> the caller waits. Slots are given in the order of the calls, but the first urgent call comes before all
 *   others. Smaller calls do not overtake a call of large weight. Keys do not wait for each other.
 * - The wait ends with an error (deadline, abort) -> the caller leaves the queue and never gets a slot.
 * - Bound: the work of a key has at most the weight `maxPerKey`. A call of larger weight runs alone. Callers bound how many of them wait. A key
 *   without work is forgotten.
 */
export interface KeyedSlots {
  /**
   * Returns the function that releases the slots; call it once. Returns a promise only if the caller has to wait. `within` ends the wait, by
   * a deadline or an abort.
   */
  take(key: string, within: Within, options?: TakeOptions): (() => void) | Promise<() => void>;
  /** Runs `work` when the key has a free slot. The wait has no time limit. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** The weight of the running work of a key. */
  taken(key: string): number;
  /** The number of keys with work. */
  readonly size: number;
}

export type Within = (turn: Promise<void>) => Promise<unknown>;

export interface TakeOptions {
  /** Default 1. */
  weight?: number;
  /** Called for each waiting call when a slot is free. Default: no call is urgent. */
  isUrgent?(): boolean;
}

interface Waiter {
  weight: number;
  isUrgent?: (() => boolean) | undefined;
  begin(): void;
}

interface Slots {
  taken: number;
  /** The waiting calls, the oldest first. */
  waiting: Set<Waiter>;
}

export function createKeyedSlots({ maxPerKey }: { maxPerKey: number }): KeyedSlots {
  const byKey = new Map<string, Slots>();

  const hasRoom = ({ taken }: Slots, weight: number) => taken === 0 || taken + weight <= maxPerKey;

  const beginNext = (key: string, slots: Slots) => {
    for (;;) {
      const [oldest] = slots.waiting;
      const urgent = slots.waiting.values().find(({ isUrgent }) => isUrgent?.());
      const next = urgent ?? oldest;
      if (!next || !hasRoom(slots, next.weight)) break;
      slots.waiting.delete(next);
      slots.taken += next.weight;
      next.begin();
    }
    if (slots.taken === 0) byKey.delete(key);
  };

  const release = (key: string, slots: Slots, weight: number) => {
    slots.taken -= weight;
    beginNext(key, slots);
  };

  const waitForTurn = async (key: string, slots: Slots, within: Within, { weight = 1, isUrgent }: TakeOptions) => {
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const waiter: Waiter = { weight, isUrgent, begin };
    slots.waiting.add(waiter);
    try {
      await within(turn);
    } catch (error) {
      // The call may have got its slot at the same moment. It then has to release the slot.
      if (slots.waiting.delete(waiter)) beginNext(key, slots);
      else release(key, slots, weight);
      throw error;
    }
    return () => release(key, slots, weight);
  };

  const take: KeyedSlots['take'] = (key, within, options = {}) => {
    const { weight = 1 } = options;
    const slots = byKey.get(key) ?? { taken: 0, waiting: new Set() };
    byKey.set(key, slots);
    if (slots.waiting.size > 0 || !hasRoom(slots, weight)) return waitForTurn(key, slots, within, options);
    slots.taken += weight;
    return () => release(key, slots, weight);
  };

  return {
    take,
    async run(key, work) {
      const release = await take(key, (turn) => turn);
      try {
        return await work();
      } finally {
        release();
      }
    },
    taken: (key) => byKey.get(key)?.taken ?? 0,
    get size() {
      return byKey.size;
    },
  };
}
