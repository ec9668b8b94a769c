/**
 * Finds which of several thousand literals occur in a text, in one pass (Aho–Corasick with a dense transition table).
 *
 * - ASCII case is ignored.
 * - Time: linear in the length of the text plus the number of hits, for any text.
 * - Read-only after construction.
 */
export class LiteralScanner {
  private readonly classOf = new Uint8Array(128);
  private readonly classCount: number;
  private readonly next: Int32Array;
  /** The literal that ends in a state, or -1. */
  private readonly literalAt: Int32Array;
  /** The longest suffix state in which a literal ends, or 0. */
  private readonly suffixAt: Int32Array;

  constructor(literals: readonly string[]) {
    const folded = literals.map((literal) => literal.toLowerCase());
    let classes = 1;
    for (const literal of folded) {
      for (let i = 0; i < literal.length; i++) {
        const code = literal.charCodeAt(i);
        if (code < 128 && this.classOf[code] === 0) this.classOf[code] = classes++;
      }
    }
    for (let code = 65; code <= 90; code++) this.classOf[code] = this.classOf[code + 32] ?? 0;
    this.classCount = classes;
    const bound = folded.reduce((sum, literal) => sum + literal.length, 1);
    this.next = new Int32Array(bound * classes);
    this.literalAt = new Int32Array(bound).fill(-1);
    this.suffixAt = new Int32Array(bound);
    this.addAll(folded);
    this.link();
  }

  private addAll(literals: readonly string[]): void {
    let states = 1;
    literals.forEach((literal, id) => {
      let state = 0;
      for (let i = 0; i < literal.length; i++) {
        const slot = state * this.classCount + (this.classOf[literal.charCodeAt(i)] ?? 0);
        if (this.next[slot] === 0) this.next[slot] = states++;
        state = this.next[slot] ?? 0;
      }
      if (state !== 0) this.literalAt[state] = id;
    });
  }

  /**
   * Breadth first. A missing transition becomes the transition of the longest proper suffix, so scanning never goes
   * back.
   */
  private link(): void {
    const { next, classCount, literalAt, suffixAt } = this;
    const failure = new Int32Array(literalAt.length);
    const queue: number[] = [];
    for (let symbol = 1; symbol < classCount; symbol++) {
      const state = next[symbol] ?? 0;
      if (state !== 0) queue.push(state);
    }
    for (let head = 0; head < queue.length; head++) {
      const state = queue[head] ?? 0;
      const suffix = failure[state] ?? 0;
      suffixAt[state] = literalAt[suffix] === -1 ? (suffixAt[suffix] ?? 0) : suffix;
      for (let symbol = 1; symbol < classCount; symbol++) {
        const slot = state * classCount + symbol;
        const inherited = next[suffix * classCount + symbol] ?? 0;
        const target = next[slot] ?? 0;
        if (target === 0) {
          next[slot] = inherited;
        } else {
          failure[target] = inherited;
          queue.push(target);
        }
      }
    }
  }

  /** Calls `onHit` with the index of the literal and the offset after its end, in order of occurrence. */
  scan(text: string, onHit: (literal: number, end: number) => void): void {
    const { next, classOf, classCount, literalAt, suffixAt } = this;
    const { length } = text;
    let state = 0;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      // Class 0 has no transitions, so a character that is in no literal leads to the start state.
      state = next[state * classCount + (code < 128 ? (classOf[code] as number) : 0)] as number;
      if (state === 0) continue;
      if (literalAt[state] !== -1) onHit(literalAt[state] as number, i + 1);
      for (let at = suffixAt[state] as number; at !== 0; at = suffixAt[at] as number) {
        onHit(literalAt[at] as number, i + 1);
      }
    }
  }
}
