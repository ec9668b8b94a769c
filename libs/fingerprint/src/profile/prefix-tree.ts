/**
 * Texts as a tree of their characters, for finding all texts that start at a place of another text. A step costs one look-up in a
 * hash table of flat arrays.
 */
export class PrefixTree {
  /** Number of the text that ends at a node; -1 for none. */
  private readonly ends: Int32Array;
  private readonly keyNodes: Int32Array;
  private readonly keyCodes: Uint16Array;
  /** The node that follows; 0 marks a free slot, because no step leads to the root. */
  private readonly next: Int32Array;
  private readonly mask: number;
  private nodes = 1;

  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + length, 1);
    const slots = 2 ** Math.ceil(Math.log2(most * 2));
    this.ends = new Int32Array(most).fill(-1);
    this.keyNodes = new Int32Array(slots);
    this.keyCodes = new Uint16Array(slots);
    this.next = new Int32Array(slots);
    this.mask = slots - 1;
    texts.forEach((text, index) => {
      let node = 0;
      for (let at = 0; at < text.length; at++) node = this.add(node, text.charCodeAt(at));
      this.ends[node] = index;
    });
  }

  /** The node after `node` and the character `code`; 0 when no text continues this way. The root is node 0. */
  step(node: number, code: number): number {
    return this.next[this.slotOf(node, code)] as number;
  }

  /** The number of the text that ends at `node`, or -1. */
  endAt(node: number): number {
    return this.ends[node] as number;
  }

  private add(node: number, code: number): number {
    const slot = this.slotOf(node, code);
    if (this.next[slot] === 0) {
      this.keyNodes[slot] = node;
      this.keyCodes[slot] = code;
      this.next[slot] = this.nodes++;
    }
    return this.next[slot] as number;
  }

  private slotOf(node: number, code: number): number {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 7;
    for (slot &= this.mask; this.next[slot] !== 0; slot = (slot + 1) & this.mask)
      if (this.keyNodes[slot] === node && this.keyCodes[slot] === code) break;
    return slot;
  }
}
