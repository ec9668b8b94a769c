/**
 * A binary heap of numbers below a growing limit. Remembers where each number is, so that it can be moved after its key has changed.
 */
export interface IdHeap {
  readonly size: number;
  /** The first id, or -1. */
  first(): number;
  push(id: number): void;
  /** Removes and returns the first id, or -1. */
  pop(): number;
  /** Call when the key of a member has become lower. */
  raise(id: number): void;
}

/** `isBefore(a, b)`: the key of `a` is lower than that of `b`. */
export function createIdHeap(isBefore: (a: number, b: number) => boolean): IdHeap {
  const ids: number[] = [];
  const positions: number[] = [];

  const put = (id: number, at: number) => {
    ids[at] = id;
    positions[id] = at;
  };
  const up = (id: number, from: number) => {
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = ids[parentAt] as number;
      if (!isBefore(id, parent)) break;
      put(parent, at);
      at = parentAt;
    }
    put(id, at);
  };
  const down = (id: number) => {
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      if (childAt >= ids.length) break;
      let child = ids[childAt] as number;
      const right = ids[childAt + 1];
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        childAt++;
      }
      if (!isBefore(child, id)) break;
      put(child, at);
      at = childAt;
    }
    put(id, at);
  };

  return {
    get size() {
      return ids.length;
    },
    first: () => ids[0] ?? -1,
    push(id) {
      ids.push(id);
      up(id, ids.length - 1);
    },
    pop() {
      const first = ids[0] ?? -1;
      const last = ids.pop();
      if (last !== undefined && last !== first) down(last);
      return first;
    },
    raise: (id) => up(id, positions[id] as number),
  };
}
