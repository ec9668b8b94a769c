/**
 * The literals of which at least one must occur in any text that a regular expression matches: what makes a cheap
 * multi-literal scan a sound filter in front of it. Works on the pattern's own source, so it knows just enough syntax:
 * escapes, classes, groups, alternation and quantifiers. Unsure means shorter or none, never wrong.
 */

/** Any one of these is required; undefined: nothing is. */
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

  /** Alternation: every branch must require something, else nothing is required. */
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

  /** One literal character, or what a class, group or other atom requires. */
  private atom(): string | { required: Literals } {
    const symbol = this.source[this.at++] ?? '';
    if (symbol === '\\') {
      const escaped = this.source[this.at++] ?? '';
      if (!/[a-z0-9]/i.test(escaped)) return escaped;
      // \x41, 1 and the like are rare enough to be skipped as unknown; their digits are then read as literals,
      // which would be wrong, so they are consumed.
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

/** Literals, lower case, of which one must occur; empty when the pattern requires none of at least `shortest` characters. */
export function requiredLiterals(source: string, shortest = 3): string[] {
  const found = new Reader(source).alternation();
  if (!found || found.some((literal) => literal.length < shortest)) return [];
  return found.map((literal) => literal.toLowerCase());
}

/** The text that a pattern stands for when it is nothing but that text (`klaviyo\.com`), else undefined. */
export function plainLiteral(source: string): string | undefined {
  const bare = source.replace(/\\[^a-zA-Z0-9]/g, '');
  if (/[\\^$.*+?()[\]{}|]|[^ -~]/.test(bare)) return undefined;
  return source.replace(/\\([^a-zA-Z0-9])/g, '$1');
}
