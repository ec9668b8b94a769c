interface Waiting {
  turn: string;
  group: string;
}

/**
 * Waiting items, by turn, and within a turn by group. Turns alternate, and the groups of a turn alternate.
 *
 * - Members of a group wait for the same things, so only the oldest is checked. A turn of 1,000 members costs as much as a turn of one.
 */
export function createTurns<Item extends Waiting>() {
  /** The turn that is next comes first. */
  const turns = new Map<string, Map<string, Set<Item>>>();
  let size = 0;

  const remove = (item: Item) => {
    const groups = turns.get(item.turn);
    const items = groups?.get(item.group);
    if (!items?.delete(item)) return;
    size--;
    if (items.size === 0) groups?.delete(item.group);
    if (groups?.size === 0) turns.delete(item.turn);
  };
  const nextOf = (groups: Map<string, Set<Item>>, inMsOf: (item: Item) => number) => {
    let inMs = Number.POSITIVE_INFINITY;
    for (const [group, items] of groups) {
      const [item] = items as Iterable<Item> as [Item];
      const itemInMs = inMsOf(item);
      if (itemInMs === 0) {
        moveToEnd(groups, group, items);
        return { item, inMs: 0 };
      }
      inMs = Math.min(inMs, itemInMs);
    }
    return { inMs };
  };

  return {
    get size() {
      return size;
    },
    add(item: Item): void {
      const groups = turns.get(item.turn) ?? new Map<string, Set<Item>>();
      const items = groups.get(item.group) ?? new Set();
      turns.set(item.turn, groups.set(item.group, items.add(item)));
      size++;
    },
    delete: remove,
    /**
     * Removes and returns the next item that can begin. Otherwise returns the time after which one can begin, as far as `inMsOf` knows it.
     * `inMsOf` returns 0 if the item can begin.
     */
    next(inMsOf: (item: Item) => number): { item?: Item; inMs: number } {
      let inMs = Number.POSITIVE_INFINITY;
      for (const [turn, groups] of turns) {
        const found = nextOf(groups, inMsOf);
        if (found.item) {
          moveToEnd(turns, turn, groups);
          remove(found.item);
          return found;
        }
        inMs = Math.min(inMs, found.inMs);
      }
      return { inMs };
    },
  };
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
