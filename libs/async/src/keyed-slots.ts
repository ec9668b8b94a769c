import { type SlotCall, SlotNode } from './slot-node.ts';

/**
 * Bounds the work that runs at the same time: of a key, of a group of keys, and of all keys.
 *
 * - There is no free slot -> the call waits. Within a key, slots are given in the order of the calls, but the first urgent call comes before
 *   all others. Smaller calls of the key do not overtake a call of large weight.
 * - Keys that share a bound take turns (round robin), however many calls of each wait. Other keys do not wait for each other.
 * - A key in a group is a path: `['strangers', 'address 1']`. Groups take turns, and the keys of a group take turns. Groups can be nested.
 * - A call whose `mayBegin` returns false waits, and other keys overtake it. So a call can wait for a rate, or for several bounds at the same time.
 * - The wait ends with an error (deadline, abort) -> the caller leaves the queue and never gets a slot.
 * - Bound: the work of a key has at most the weight `maxPerKey`, of all keys `max`, of a group its number in `groups`. A call of larger
 *   weight runs alone. Callers bound how many of them wait. A key without work is forgotten.
 */
export interface KeyedSlots {
  /**
   * Returns the function that releases the slots; call it once. Returns a promise only if the caller has to wait. `within` ends the wait, by
   * a deadline or an abort.
   */
  take(key: Key, within: Within, options?: TakeOptions): (() => void) | Promise<() => void>;
  /**
   * Calls `begin` once the call has its slots, possibly before `enter` returns. `begin` must not use the slots. Returns the function that
   * ends the wait or releases the slots; call it once.
   */
  enter(key: Key, begin: () => void, options?: TakeOptions): () => void;
  /** Runs `work` when the key has a free slot. The wait has no time limit. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T>;
  /** Begins the waiting calls that can begin because the answer of their `mayBegin` has changed. */
  recheck(): void;
  /** The weight of the running work of a key that is in no group. */
  taken(key: string): number;
  /** The number of groups, and of keys with work that are in no group. */
  readonly size: number;
}

export type Key = string | readonly [...groups: string[], key: string];

export type Within = (turn: Promise<void>) => Promise<unknown>;

export interface TakeOptions {
  /** Default 1. A smaller weight counts as 1. */
  weight?: number;
  /** Called for each waiting call when a slot is free. Default: no call is urgent. */
  isUrgent?(): boolean;
  /** Called when it is the turn of the call and a slot is free. Default: the call may begin. */
  mayBegin?(): boolean;
}

/** An absent bound is infinite. */
export interface KeyedSlotsOptions {
  maxPerKey?: number;
  max?: number;
  /** The bounds of groups. These groups keep their turn while they have no work. */
  groups?: Record<string, number>;
}

const unbounded = Number.POSITIVE_INFINITY;

export function createKeyedSlots({
  maxPerKey = unbounded,
  max = unbounded,
  groups = {},
}: KeyedSlotsOptions): KeyedSlots {
  const root = new SlotNode({ max, isKept: true });
  for (const [name, ofGroup] of Object.entries(groups)) root.child(name, { max: ofGroup, isKept: true });

  const nodeOf = (key: Key): SlotNode => {
    const path = typeof key === 'string' ? [key] : key;
    const group = path.slice(0, -1).reduce((node, name) => node.child(name, { max: unbounded }), root);
    return group.child(path.at(-1) ?? '', { max: maxPerKey });
  };

  const enter: KeyedSlots['enter'] = (key, begin, { weight = 1, isUrgent, mayBegin } = {}) => {
    const node = nodeOf(key);
    const call: SlotCall = { key: node, weight: Math.max(1, weight), isUrgent, mayBegin, begin };
    // Other nodes do not depend on this call. `mayBegin` may depend on any call.
    const affected = mayBegin ? root : (node.upward.findLast(({ max }) => max < unbounded) ?? node);
    node.add(call);
    affected.beginWaiting();
    return () => {
      node.remove(call);
      affected.beginWaiting();
    };
  };

  const take: KeyedSlots['take'] = (key, within, options) => {
    let hasBegun = false;
    let resume = () => {};
    const leave = enter(
      key,
      () => {
        hasBegun = true;
        resume();
      },
      options,
    );
    const wait = async () => {
      const { promise: turn, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      try {
        await within(turn);
      } catch (error) {
        // The call may have got its slots at the same moment. They are then released.
        leave();
        throw error;
      }
      return leave;
    };
    return hasBegun ? leave : wait();
  };

  return {
    take,
    enter,
    recheck: () => root.beginWaiting(),
    async run(key, work) {
      const release = await take(key, (turn) => turn);
      try {
        return await work();
      } finally {
        release();
      }
    },
    taken: (key) => root.children.get(key)?.taken ?? 0,
    get size() {
      return root.children.size;
    },
  };
}
