/**
 * Extracts the literals of a regular expression. Any matching text contains at least one of them, so a multi-literal
 * scan can filter before the expression runs.
 *
 * - The function parses the pattern source: escapes, classes, groups, alternation and quantifiers.
 * - Unknown syntax -> shorter literals or none, never wrong ones.
 */

/** One of these literals is required. Undefined: no literal is required. */
type Literals = string[] | undefined;

const maxAlternatives = 24;

const worth = (literals: Literals): number =>
  literals === undefined ? 0 : Math.min(...literals.map((literal) => literal.length)) - literals.length * 0.01;

const better = (one: Literals, other: Literals): Literals => (worth(other) > worth(one) ? other : one);

class Reader {
  private at = 0;
  constructor(source: string) {
    this.source = source;
  }
  private readonly source: string;

  /** Alternation: unless every branch requires a literal, none is required. */
  alternation(): Literals {
    const branches: Literals[] = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      branches.push(this.sequence());
    }
    if (branches.some((branch) => branch === undefined)) return undefined;
    const all = branches.flatMap((branch) => branch ?? []);
    return all.length <= maxAlternatives ? all : undefined;
  }

  private sequence(): Literals {
    let best: Literals;
    let run = '';
    const endRun = (): void => {
      if (run.length > 0) best = better(best, [run]);
      run = '';
    };
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const atom = this.atom();
      const quantifier = this.quantifier();
      if (typeof atom === 'string') {
        if (quantifier === 'once') run += atom;
        else if (quantifier === 'many') {
          run += atom;
          endRun();
        } else endRun();
        continue;
      }
      endRun();
      if (quantifier !== 'maybe') best = better(best, atom.required);
    }
    endRun();
    return best;
  }

  private quantifier(): 'once' | 'many' | 'maybe' {
    const symbol = this.source[this.at];
    let answer: 'once' | 'many' | 'maybe' = 'once';
    if (symbol === '?' || symbol === '*') answer = 'maybe';
    else if (symbol === '+') answer = 'many';
    else {
      const counted = /^\{(\d+)(,\d*)?\}/.exec(this.source.slice(this.at, this.at + 12));
      if (!counted) return 'once';
      answer = Number(counted[1]) === 0 ? 'maybe' : 'many';
      this.at += counted[0].length - 1;
    }
    this.at++;
    if (this.source[this.at] === '?') this.at++;
    return answer;
  }

  /** One literal character, or the literals that a class, group or other atom requires. */
  private atom(): string | { required: Literals } {
    const symbol = this.source[this.at++] ?? '';
    if (symbol === '\\') {
      const escaped = this.source[this.at++] ?? '';
      if (!/[a-z0-9]/i.test(escaped)) return escaped;
      // \x41, \1 and similar escapes count as unknown. Their digits are consumed, because they are not literals.
      if (escaped === 'x') this.at += 2;
      if (escaped === 'u') this.at += 4;
      return { required: undefined };
    }
    if (symbol === '[') return this.characterClass();
    if (symbol === '(') return this.group();
    if (symbol === '.' || symbol === '^' || symbol === '$') return { required: undefined };
    return symbol.charCodeAt(0) < 128 ? symbol : { required: undefined };
  }

  private characterClass(): { required: Literals } {
    if (this.source[this.at] === '^') this.at++;
    if (this.source[this.at] === ']') this.at++;
    while (this.at < this.source.length && this.source[this.at] !== ']')
      this.at += this.source[this.at] === '\\' ? 2 : 1;
    this.at++;
    return { required: undefined };
  }

  private group(): { required: Literals } {
    const opening = /^\?(?:[:=!]|<[=!]|P?<\w+>)/.exec(this.source.slice(this.at, this.at + 40))?.[0] ?? '';
    this.at += opening.length;
    const required = this.alternation();
    this.at++;
    return { required: opening === '?!' || opening === '?<!' ? undefined : required };
  }
}

/**
 * Lower-case literals of which one must occur. Empty when the pattern requires none of at least `shortest` characters.
 */
export function requiredLiterals(source: string, shortest = 3): string[] {
  const found = new Reader(source).alternation();
  if (!found || found.some((literal) => literal.length < shortest)) return [];
  return found.map((literal) => literal.toLowerCase());
}

/** The matched text, if the pattern is plain text (`klaviyo\.com`); otherwise undefined. */
export function plainLiteral(source: string): string | undefined {
  const bare = source.replace(/\\[^a-zA-Z0-9]/g, '');
  if (/[\\^$.*+?()[\]{}|]|[^ -~]/.test(bare)) return undefined;
  return source.replace(/\\([^a-zA-Z0-9])/g, '$1');
}
