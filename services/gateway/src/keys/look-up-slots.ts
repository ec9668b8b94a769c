import type { Deadline } from '@shopscope/async';

/**
 * Bounds the look-ups of unfamiliar keys that run at the same time for one client address. A refused key counts for its address only
 * when its look-up has ended, so without slots a burst of invented keys would be looked up whole.
 *
 * - All slots of the address are taken -> the look-up waits. Look-ups begin in the order of their calls.
 * - The deadline passes while it waits -> it never begins.
 * - Addresses do not wait for each other. Each gateway counts alone, without I/O.
 * - Bound: what waits is a request in progress. An address without look-ups is forgotten.
 */
export interface LookUpSlots {
  run<Result>(address: string, deadline: Deadline, lookUp: () => Promise<Result>): Promise<Result>;
  /** Addresses with look-ups. */
  readonly size: number;
}

const maxPerAddress = 16;

interface Slots {
  taken: number;
  /** Begins the look-ups that wait, the oldest first. */
  waiting: Set<() => void>;
}

export function createLookUpSlots(): LookUpSlots {
  const byAddress = new Map<string, Slots>();

  const release = (address: string, slots: Slots) => {
    const [next] = slots.waiting;
    if (next) {
      slots.waiting.delete(next);
      next();
    } else if (--slots.taken === 0) byAddress.delete(address);
  };

  const acquire = async (slots: Slots, deadline: Deadline) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    slots.waiting.add(resolve);
    try {
      await deadline.race(promise);
    } catch (error) {
      // It may have got its slot in the same instant.
      if (!slots.waiting.delete(resolve)) return;
      throw error;
    }
  };

  return {
    async run(address, deadline, lookUp) {
      const slots = byAddress.get(address) ?? { taken: 0, waiting: new Set() };
      byAddress.set(address, slots);
      if (slots.taken < maxPerAddress) slots.taken++;
      else await acquire(slots, deadline);
      try {
        return await lookUp();
      } finally {
        release(address, slots);
      }
    },
    get size() {
      return byAddress.size;
    },
  };
}
