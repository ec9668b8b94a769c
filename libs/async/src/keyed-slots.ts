/**
 * Bounds the work that runs at the same time for one key.
 *
 * - All slots of the key are taken -> the caller waits. Slots are given in the order of the calls. Keys do not wait for each other.
 * - The wait ends with an error (deadline, abort) -> the caller leaves the queue and never gets a slot.
 * - Bound: `maxPerKey` slots. What waits is held by its caller. A key without slots is forgotten.
 */
export interface KeyedSlots {
  /**
   * The function that releases the slot; call it once. A promise only where the caller waits: `within` ends the wait for the turn, by a
   * deadline or an abort.
   */
  take(key: string, within: (turn: Promise<void>) => Promise<unknown>): (() => void) | Promise<() => void>;
  /** Keys with slots. */
  readonly size: number;
}

interface Slots {
  taken: number;
  /** Begin the callers that wait, the oldest first. */
  waiting: Set<() => void>;
}

export function createKeyedSlots({ maxPerKey }: { maxPerKey: number }): KeyedSlots {
  const byKey = new Map<string, Slots>();

  const release = (key: string, slots: Slots) => {
    const [next] = slots.waiting;
    if (next) {
      slots.waiting.delete(next);
      next();
    } else if (--slots.taken === 0) byKey.delete(key);
  };

  const waitForTurn = async (key: string, slots: Slots, within: (turn: Promise<void>) => Promise<unknown>) => {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    slots.waiting.add(resolve);
    try {
      await within(turn);
    } catch (error) {
      // The slot may have been given in the same instant.
      if (!slots.waiting.delete(resolve)) release(key, slots);
      throw error;
    }
    return () => release(key, slots);
  };

  return {
    take(key, within) {
      const slots = byKey.get(key) ?? { taken: 0, waiting: new Set() };
      byKey.set(key, slots);
      if (slots.taken >= maxPerKey) return waitForTurn(key, slots, within);
      slots.taken++;
      return () => release(key, slots);
    },
    get size() {
      return byKey.size;
    },
  };
}
