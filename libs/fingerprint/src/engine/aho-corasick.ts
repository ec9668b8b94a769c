/** State numbers have two bytes. */
const maxStates = 65_536;
/** With 32 classes of characters, a row of the transition table fills one 64-byte line of the processor's cache. */
const classBits = 5;
const classCount = 2 ** classBits;
/** A long text is scanned in eight lanes at the same time. */
const lanes = 8;
const laneChars = 2048;

/**
 * Finds which of several thousand literals occur in a text, in one pass (Aho–Corasick with a dense transition table).
 *
 * - ASCII case is ignored.
 * - Characters share {@link classCount} classes. Literals that differ only in digits or signs therefore share states, and the table stays
 *   small. Each hit is compared with the text.
 * - Time: linear in the length of the text plus the number of hits, for any text. One table entry of two bytes is read per character.
 * - A long text is scanned in eight lanes at the same time. Their hits wait in a buffer of fixed size, so that they are reported in order.
 * - States are numbered breadth first. The states that most texts visit therefore share memory pages. States in which a literal ends have
 *   the highest numbers.
 * - The scanner is read-only after construction, except for a buffer that calls share. `onHit` must not scan.
 */
export class LiteralScanner {
  /** The class of each byte. Class 0 means that no literal has the byte. */
  private readonly classOf: Uint8Array;
  private readonly literals: readonly string[];
  /** The next state, by state and class. */
  private readonly next: Uint16Array;
  /** The first state in which a literal ends. */
  private readonly firstEnding: number;
  /** The first literal that ends in a state, or -1. */
  private readonly literalAt: Int32Array;
  /** The next literal with the same classes, or -1. */
  private readonly alikeAfter: Int32Array;
  /** Characters of the longest literal. */
  private readonly longest: number;
  /** The longest suffix state in which a literal ends, or 0. */
  private readonly suffixAt: Uint16Array;

  constructor(literals: readonly string[]) {
    const folded = literals.map((literal) => literal.toLowerCase());
    this.classOf = classesOf(folded);
    this.literals = folded;
    this.alikeAfter = new Int32Array(folded.length).fill(-1);
    this.longest = folded.reduce((most, { length }) => Math.max(most, length), 0);
    const linked = this.link(this.trie(folded));
    const count = linked.literalAt.length;
    if (count > maxStates) throw new RangeError(`${count} states are more than ${maxStates}`);
    const order = endingLast(linked);
    this.firstEnding = order.firstEnding;
    this.next = renumbered(linked.next, order.states);
    this.literalAt = order.states.map((state) => linked.literalAt[state] as number);
    const numberOf = inverse(order.states);
    this.suffixAt = Uint16Array.from(order.states, (state) => numberOf[linked.suffixAt[state] as number] as number);
  }

  private trie(literals: readonly string[]): Trie {
    const { alikeAfter, classOf } = this;
    const bound = literals.reduce((sum, literal) => sum + literal.length, 1);
    const children = new Int32Array(bound * classCount);
    const literalAt = new Int32Array(bound).fill(-1);
    let states = 1;
    literals.forEach((literal, id) => {
      let state = 0;
      for (let i = 0; i < literal.length; i++) {
        const slot = state * classCount + (classOf[literal.charCodeAt(i) & 255] as number);
        if (children[slot] === 0) children[slot] = states++;
        state = children[slot] as number;
      }
      if (state === 0) return;
      alikeAfter[id] = literalAt[state] as number;
      literalAt[state] = id;
    });
    const order = new Int32Array(states);
    for (let head = 0, tail = 1; head < tail; head++) {
      const row = (order[head] as number) * classCount;
      for (let slot = row; slot < row + classCount; slot++) {
        const child = children[slot] as number;
        if (child !== 0) order[tail++] = child;
      }
    }
    return { children, literalAt, order };
  }

  /** A missing transition becomes the transition of the longest proper suffix. Scanning therefore never goes back. */
  private link({ children, order, literalAt: literalOf }: Trie): Linked {
    const next = new Int32Array(order.length * classCount);
    const literalAt = order.map((state) => literalOf[state] as number);
    const suffixAt = new Int32Array(order.length);
    const failure = new Int32Array(order.length);
    for (let state = 0, numbered = 1; state < order.length; state++) {
      const suffix = failure[state] as number;
      if (state !== 0) suffixAt[state] = literalAt[suffix] === -1 ? (suffixAt[suffix] as number) : suffix;
      const row = (order[state] as number) * classCount;
      for (let symbol = 0; symbol < classCount; symbol++) {
        const inherited = state === 0 ? 0 : (next[suffix * classCount + symbol] as number);
        const isChild = children[row + symbol] !== 0;
        if (isChild) failure[numbered] = inherited;
        next[state * classCount + symbol] = isChild ? numbered++ : inherited;
      }
    }
    return { next, literalAt, suffixAt };
  }

  /** Calls `onHit` with the index of the literal and the offset after its end, in order of occurrence. */
  scan(text: string, onHit: (literal: number, end: number) => void): void {
    const bytes = lowBytesOf(text);
    const { length } = text;
    let state = 0;
    let at = 0;
    for (let lane = this.laneOf(length); lane > 0; lane = this.laneOf(length - at)) {
      state = this.scanLanes(text, bytes, { at, lane, state }, onHit);
      at += lanes * lane;
    }
    const { next, classOf, firstEnding } = this;
    for (; at < length; at++) {
      // Class 0 has no transitions. A character that is in no literal therefore leads to the start state.
      state = next[(state << classBits) | (classOf[bytes[at] as number] as number)] as number;
      if (state >= firstEnding) this.report(text, state, at + 1, onHit);
    }
  }

  /** Characters per lane when `remaining` are left. 0 if lanes cost more than they save: each lane reads text before its start. */
  private laneOf(remaining: number): number {
    const lane = Math.min(laneChars, Math.floor(remaining / lanes));
    return lane >= this.longest ? lane : 0;
  }

  /**
   * Scans the parts of a text at once. Each read of the table depends on the read before it, and often waits for the memory. With a single
   * part, the processor would be idle.
   */
  private scanLanes(
    text: string,
    bytes: Uint8Array,
    { at: from, lane, state: before }: { at: number; lane: number; state: number },
    onHit: (literal: number, end: number) => void,
  ): number {
    const { next, classOf, firstEnding } = this;
    // The states of the eight parts. With an array of them, a scan with few hits took 1.5 times as long.
    let a = before;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    // The state at the start of a part depends on the characters before it, as many as the longest literal has.
    for (let at = from - this.longest; at < from; at++) {
      b = next[(b << classBits) | (classOf[bytes[at + lane] as number] as number)] as number;
      c = next[(c << classBits) | (classOf[bytes[at + 2 * lane] as number] as number)] as number;
      d = next[(d << classBits) | (classOf[bytes[at + 3 * lane] as number] as number)] as number;
      e = next[(e << classBits) | (classOf[bytes[at + 4 * lane] as number] as number)] as number;
      f = next[(f << classBits) | (classOf[bytes[at + 5 * lane] as number] as number)] as number;
      g = next[(g << classBits) | (classOf[bytes[at + 6 * lane] as number] as number)] as number;
      h = next[(h << classBits) | (classOf[bytes[at + 7 * lane] as number] as number)] as number;
    }
    hitCounts.fill(0);
    for (let at = from; at < from + lane; at++) {
      a = next[(a << classBits) | (classOf[bytes[at] as number] as number)] as number;
      b = next[(b << classBits) | (classOf[bytes[at + lane] as number] as number)] as number;
      c = next[(c << classBits) | (classOf[bytes[at + 2 * lane] as number] as number)] as number;
      d = next[(d << classBits) | (classOf[bytes[at + 3 * lane] as number] as number)] as number;
      e = next[(e << classBits) | (classOf[bytes[at + 4 * lane] as number] as number)] as number;
      f = next[(f << classBits) | (classOf[bytes[at + 5 * lane] as number] as number)] as number;
      g = next[(g << classBits) | (classOf[bytes[at + 6 * lane] as number] as number)] as number;
      h = next[(h << classBits) | (classOf[bytes[at + 7 * lane] as number] as number)] as number;
      if (a >= firstEnding) keepHit(0, a, at - from);
      if (b >= firstEnding) keepHit(1, b, at - from);
      if (c >= firstEnding) keepHit(2, c, at - from);
      if (d >= firstEnding) keepHit(3, d, at - from);
      if (e >= firstEnding) keepHit(4, e, at - from);
      if (f >= firstEnding) keepHit(5, f, at - from);
      if (g >= firstEnding) keepHit(6, g, at - from);
      if (h >= firstEnding) keepHit(7, h, at - from);
    }
    for (let number = 0; number < lanes; number++) this.reportLane(text, number, from + number * lane, onHit);
    return h;
  }

  private reportLane(text: string, number: number, from: number, onHit: (literal: number, end: number) => void): void {
    const first = number * laneChars;
    const end = first + (hitCounts[number] as number);
    for (let at = first; at < end; at++) {
      const hit = laneHits[at] as number;
      this.report(text, hit >>> 16, from + (hit & 0xffff) + 1, onHit);
    }
  }

  private report(text: string, state: number, end: number, onHit: (literal: number, end: number) => void): void {
    for (let at = state; at !== 0; at = this.suffixAt[at] as number)
      for (let literal = this.literalAt[at] as number; literal !== -1; literal = this.alikeAfter[literal] as number)
        if (this.endsWith(text, literal, end)) onHit(literal, end);
  }

  /** A class has several characters, and the scanned bytes hold only the low half of each. A hit is therefore compared with the text. */
  private endsWith(text: string, id: number, end: number): boolean {
    const literal = this.literals[id] as string;
    const start = end - literal.length;
    for (let i = 0; i < literal.length; i++) {
      const code = text.charCodeAt(start + i);
      if ((code >= 65 && code <= 90 ? code + 32 : code) !== literal.charCodeAt(i)) return false;
    }
    return true;
  }
}

/** The class of each byte that a literal has. A letter has one class for both cases, digits share one class, all others share four. */
function classesOf(literals: readonly string[]): Uint8Array {
  const classes = new Uint8Array(256);
  for (const literal of literals)
    for (let i = 0; i < literal.length; i++) {
      const byte = literal.charCodeAt(i) & 255;
      if (byte >= 97 && byte <= 122) classes[byte] = byte - 96;
      else classes[byte] = byte >= 48 && byte <= 57 ? 27 : 28 + (byte & 3);
    }
  for (let code = 65; code <= 90; code++) classes[code] = classes[code + 32] as number;
  return classes;
}

interface Trie {
  /** The child state, at the index state × class count + class. 0 means that there is none. */
  children: Int32Array;
  literalAt: Int32Array;
  /** States in breadth-first order. */
  order: Int32Array;
}

/** Arrays that are indexed by states in breadth-first order. */
interface Linked {
  next: Int32Array;
  literalAt: Int32Array;
  suffixAt: Int32Array;
}

/** The states in their order, but those in which no literal ends come first. */
function endingLast({ literalAt, suffixAt }: Linked): { states: Int32Array; firstEnding: number } {
  const isEnding = (state: number): boolean => literalAt[state] !== -1 || suffixAt[state] !== 0;
  const all = Int32Array.from(literalAt, (_, state) => state);
  const others = all.filter((state) => !isEnding(state));
  const states = new Int32Array(all.length);
  states.set(others);
  states.set(all.filter(isEnding), others.length);
  return { states, firstEnding: others.length };
}

function inverse(order: Int32Array): Int32Array {
  const numberOf = new Int32Array(order.length);
  for (let number = 0; number < order.length; number++) numberOf[order[number] as number] = number;
  return numberOf;
}

function renumbered(next: Int32Array, order: Int32Array): Uint16Array {
  const numberOf = inverse(order);
  const result = new Uint16Array(next.length);
  for (let number = 0; number < order.length; number++) {
    const from = (order[number] as number) * classCount;
    const to = number * classCount;
    for (let symbol = 0; symbol < classCount; symbol++)
      result[to + symbol] = numberOf[next[from + symbol] as number] as number;
  }
  return result;
}

/** The state and place of each hit in the lanes, until all hits have been reported in order. */
const laneHits = new Uint32Array(lanes * laneChars);
const hitCounts = new Uint16Array(lanes);

function keepHit(lane: number, state: number, place: number): void {
  const count = hitCounts[lane] as number;
  laneHits[lane * laneChars + count] = (state << 16) | place;
  hitCounts[lane] = count + 1;
}

let buffer = Buffer.alloc(0);

/** The low byte of each character of `text`. Reading bytes is faster than reading characters of a string. */
function lowBytesOf(text: string): Uint8Array {
  if (buffer.length < text.length) buffer = Buffer.alloc(Math.max(text.length, 65_536));
  buffer.write(text, 0, 'latin1');
  return buffer;
}
