/** A call that waits for slots or holds them. */
export interface SlotCall {
  key: SlotNode;
  weight: number;
  begin(): void;
  isUrgent?: (() => boolean) | undefined;
  mayBegin?: (() => boolean) | undefined;
}

export interface SlotNodeOptions {
  max: number;
  /** A kept node stays in its parent, in its place of the round robin, while it has no work. */
  isKept?: boolean;
}

/** A key, a group of keys, or the root of all groups and keys. It counts the work of itself and of the nodes below it. */
export class SlotNode {
  /** The nodes with work. The one whose turn is next comes first. */
  readonly children = new Map<string, SlotNode>();
  /** This node, its parent, and so on. */
  readonly upward: readonly SlotNode[];
  readonly max: number;
  readonly #parent: SlotNode | undefined;
  readonly #name: string;
  readonly #isKept: boolean;
  /** The weight of the running work. */
  #taken = 0;
  /** The number of waiting calls of this node and of the nodes below it. */
  #waitingCount = 0;
  /** The waiting calls of a key, the oldest first. */
  readonly #waiting = new Set<SlotCall>();

  constructor({ max, isKept = false }: SlotNodeOptions, name = '', parent?: SlotNode) {
    this.max = max;
    this.#parent = parent;
    this.upward = [this, ...(parent?.upward ?? [])];
    this.#name = name;
    this.#isKept = isKept;
    parent?.children.set(name, this);
  }

  get taken() {
    return this.#taken;
  }

  child(name: string, options: SlotNodeOptions): SlotNode {
    return this.children.get(name) ?? new SlotNode(options, name, this);
  }

  add(call: SlotCall): void {
    for (const node of this.upward) if (node.#waitingCount === 0 && !node.#isKept) node.#moveToEnd();
    this.#waiting.add(call);
    this.#count({ taken: 0, waiting: 1 });
  }

  /** Removes a call that waits or runs. */
  remove(call: SlotCall): void {
    if (this.#waiting.delete(call)) this.#count({ taken: 0, waiting: -1 });
    else this.#count({ taken: -call.weight, waiting: 0 });
  }

  /** Begins waiting calls of this node and of the nodes below it until none can begin. */
  beginWaiting(): void {
    for (let call = this.#next(); call; call = this.#next()) {
      call.key.#waiting.delete(call);
      for (const node of call.key.upward) node.#moveToEnd();
      call.key.#count({ taken: call.weight, waiting: -1 });
      call.begin();
    }
  }

  #next(): SlotCall | undefined {
    if (this.#waitingCount === 0 || (this.#taken > 0 && this.#taken >= this.max)) return undefined;
    if (this.#waiting.size > 0) return this.#nextOfKey();
    for (const child of this.children.values()) {
      const call = child.#next();
      if (call) return call;
    }
    return undefined;
  }

  #nextOfKey(): SlotCall | undefined {
    const [oldest] = this.#waiting;
    const call = this.#waiting.values().find(({ isUrgent }) => isUrgent?.()) ?? oldest;
    const hasRoom = (node: SlotNode, weight: number) => node.#taken === 0 || node.#taken + weight <= node.max;
    if (!call || !this.upward.every((node) => hasRoom(node, call.weight))) return undefined;
    return call.mayBegin?.() === false ? undefined : call;
  }

  #count(change: { taken: number; waiting: number }): void {
    for (const node of this.upward) {
      node.#taken += change.taken;
      node.#waitingCount += change.waiting;
      const hasWork = node.#taken > 0 || node.#waitingCount > 0;
      if (!hasWork && !node.#isKept) node.#parent?.children.delete(node.#name);
    }
  }

  #moveToEnd(): void {
    this.#parent?.children.delete(this.#name);
    this.#parent?.children.set(this.#name, this);
  }
}
