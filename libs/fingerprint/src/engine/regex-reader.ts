/** Reads the source of a regular expression from left to right. */
export class RegexReader {
  protected at = 0;
  protected readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Reads `branch` and the further branches of an alternation. */
  protected alternatives<Branch>(branch: () => Branch): Branch[] {
    const branches = [branch()];
    while (this.source[this.at] === '|') {
      this.at++;
      branches.push(branch());
    }
    return branches;
  }

  /** Whether the branch continues. */
  protected hasAtom(): boolean {
    const symbol = this.source[this.at];
    return symbol !== undefined && symbol !== '|' && symbol !== ')';
  }

  /** The number of times that the atom which ends here may occur. Undefined if it has no quantifier. */
  protected quantifier(): { least: number; most: number } | undefined {
    const [written, symbol, least, range, most] =
      /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at, this.at + 20)) ?? [];
    if (written === undefined) return undefined;
    this.at += written.length;
    if (symbol === '?') return { least: 0, most: 1 };
    if (symbol !== undefined) return { least: symbol === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY };
    if (range === undefined) return { least: Number(least), most: Number(least) };
    return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY };
  }

  /** Reads the rest of a character class. */
  protected skipClass(): void {
    while (this.at < this.source.length && this.source[this.at] !== ']')
      this.at += this.source[this.at] === '\\' ? 2 : 1;
    this.at++;
  }

  /** Reads the rest of a group. `opening` is the text after its bracket, such as `?:`. */
  protected group<Inner>(inner: () => Inner): { opening: string; inner: Inner } {
    const opening = /^\?(?:[:=!]|<[=!]|P?<\w+>)/.exec(this.source.slice(this.at, this.at + 60))?.[0] ?? '';
    this.at += opening.length;
    const read = inner();
    this.at++;
    return { opening, inner: read };
  }
}
