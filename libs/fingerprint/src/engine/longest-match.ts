/**
 * The most characters that a match of a regular expression has, with all that its look-arounds read. Infinite when there is no bound.
 *
 * Unknown syntax -> a larger number or infinity, never a smaller one.
 */
export function longestMatch({ source, unicode }: RegExp): number {
  // A character beyond the basic plane has two units.
  return new Reader(source).alternation() * (unicode ? 2 : 1);
}

class Reader {
  private at = 0;
  private readonly source: string;
  constructor(source: string) {
    this.source = source;
  }

  alternation(): number {
    let most = this.sequence();
    while (this.source[this.at] === '|') {
      this.at++;
      most = Math.max(most, this.sequence());
    }
    return most;
  }

  private sequence(): number {
    let sum = 0;
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const atom = this.atom();
      const times = this.times();
      if (atom > 0 && times > 0) sum += atom * times;
    }
    return sum;
  }

  /** The most repetitions of the atom that ends here. */
  private times(): number {
    const { source } = this;
    const symbol = source[this.at];
    let times = 1;
    if (symbol === '*' || symbol === '+') times = Number.POSITIVE_INFINITY;
    else if (symbol !== '?') {
      const counted = /^\{(\d+)(,(\d*))?\}/.exec(source.slice(this.at, this.at + 20));
      if (!counted) return 1;
      const [whole, least, range, most] = counted;
      times = range === undefined ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY;
      this.at += whole.length - 1;
    }
    this.at++;
    if (source[this.at] === '?') this.at++;
    return times;
  }

  private atom(): number {
    const symbol = this.source[this.at++];
    if (symbol === '\\') return this.escape();
    if (symbol === '[') return this.characterClass();
    if (symbol === '(') return this.group();
    return symbol === '^' || symbol === '$' ? 0 : 1;
  }

  private escape(): number {
    const { source } = this;
    const escaped = source[this.at++] ?? '';
    if (escaped === 'b' || escaped === 'B') return 0;
    const long = /^(?:[pPu]\{[^}]{0,60}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z])/.exec(
      source.slice(this.at - 1, this.at + 64),
    );
    if (long) this.at += long[0].length - 1;
    // A group that occurs again has the length of its first occurrence.
    return /[1-9k]/.test(escaped) ? Number.POSITIVE_INFINITY : 1;
  }

  private characterClass(): number {
    const { source } = this;
    while (this.at < source.length && source[this.at] !== ']') this.at += source[this.at] === '\\' ? 2 : 1;
    this.at++;
    return 1;
  }

  private group(): number {
    const opening = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.source.slice(this.at, this.at + 60))?.[0] ?? '';
    this.at += opening.length;
    const inner = this.alternation();
    this.at++;
    return inner;
  }
}
