const slotNumbers = 4;
const pairSlots = 65_536;
const pairOf = (first: number, second: number): number => (Math.imul(first, 251) + second) & (pairSlots - 1);

/**
 * A tree of the characters of texts. It finds all texts that start at a place of another text. The tree is a hash table in one flat array.
 * Each slot has the node, the character, the mark of a used slot, and the number of the text that ends there. A step therefore reads one
 * line of the processor's cache.
 */
export class PrefixTree {
  private readonly table: Int32Array;
  private readonly mask: number;
  /** Hashes of the first two characters of the texts. At most places, no text starts. */
  private readonly pairs = new Uint8Array(pairSlots);

  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + length, 1);
    const capacity = 2 ** Math.ceil(Math.log2(most * 1.25));
    this.table = new Int32Array((capacity + 1) * slotNumbers);
    this.mask = capacity - 1;
    texts.forEach((text, index) => {
      let node = 0;
      for (let at = 0; at < text.length; at++) node = this.add(node, text.charCodeAt(at));
      if (node !== 0) this.table[node + 3] = index + 1;
      this.pairs[pairOf(text.charCodeAt(0), text.charCodeAt(1) || 0)] = 1;
    });
  }

  /** False if no text starts with these characters. A text may have a single character. */
  mayStart(first: number, second: number): boolean {
    return this.pairs[pairOf(first, second)] === 1 || this.pairs[pairOf(first, 0)] === 1;
  }

  /** Returns the node after `node` for the character `code`. 0 if no text continues this way. The root is node 0. */
  step(node: number, code: number): number {
    const slot = this.slotOf(node, code);
    return this.table[slot + 2] === 0 ? 0 : slot;
  }

  /** The number of the text that ends at `node`, or -1. */
  endAt(node: number): number {
    return (this.table[node + 3] as number) - 1;
  }

  private add(node: number, code: number): number {
    const slot = this.slotOf(node, code);
    if (this.table[slot + 2] === 0) {
      this.table[slot] = node;
      this.table[slot + 1] = code;
      this.table[slot + 2] = 1;
    }
    return slot;
  }

  /** Returns the slot of a step, or the free slot for it. Slot 0 is the root. */
  private slotOf(node: number, code: number): number {
    const { table, mask } = this;
    for (let at = ((Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 9) & mask; ; at = (at + 1) & mask) {
      const slot = (at + 1) * slotNumbers;
      if (table[slot + 2] === 0 || (table[slot] === node && table[slot + 1] === code)) return slot;
    }
  }
}
