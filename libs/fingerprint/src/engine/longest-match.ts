import { RegexReader } from './regex-reader.ts';

/**
 * Returns the largest number of characters that a match can have, including all characters that its look-arounds read. Infinity: no bound.
 *
 * Unknown syntax -> a larger number or infinity, never a smaller one.
 */
export function longestMatch({ source, unicode }: RegExp): number {
  // A character outside of the basic plane has two units.
  return new LengthReader(source).alternation() * (unicode ? 2 : 1);
}

class LengthReader extends RegexReader {
  alternation(): number {
    return Math.max(...this.alternatives(() => this.sequence()));
  }

  private sequence(): number {
    let sum = 0;
    while (this.hasAtom()) {
      const atom = this.atom();
      const times = this.quantifier()?.most ?? 1;
      if (atom > 0 && times > 0) sum += atom * times;
    }
    return sum;
  }

  private atom(): number {
    const symbol = this.source[this.at++];
    if (symbol === '\\') return this.escape();
    if (symbol === '(') return this.group(() => this.alternation()).inner;
    if (symbol === '[') this.skipClass();
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
    // A back-reference has the length of its group, which is not known here.
    return /[1-9k]/.test(escaped) ? Number.POSITIVE_INFINITY : 1;
  }
}
