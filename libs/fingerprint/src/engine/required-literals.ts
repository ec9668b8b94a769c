import { RegexReader } from './regex-reader.ts';

/**
 * Extracts the literals of a regular expression. Any matching text contains at least one of them. A scan for many literals can therefore
 * filter texts before the expression runs.
 *
 * - The function parses the pattern source: escapes, classes, groups, alternation and quantifiers.
 * - Unknown syntax -> shorter literals or none, never wrong ones.
 */

/** Marks the start of a literal that has `\b` before it. */
export const wordStart = '\b';

/** At least one of these literals is required. Undefined if no literal is required. */
type Literals = string[] | undefined;

const maxAlternatives = 24;
const maxRuns = 8;

/** Text on so many pages that a filter by it excludes few pages. */
const ordinary =
  /^(?:https?:)?(?:\/\/)?(?:cdn\.shopify\.com(?:\/s)?(?:\/files)?|\/?wp-content(?:\/plugins|\/themes)?|[<\s]?(?:class|href|src|id|rel|name|type|link|script|div class)=?["']?|\.?(?:com|js|css|net)|\.min\.(?:js|css)|\/?assets|jquery|shopify|<!-- ?|init|create|config|load|function|\/?static)?\/?$/i;
const ordinaryWorth = 1;

const worth = (literals: Literals): number =>
  literals === undefined
    ? 0
    : Math.min(...literals.map((literal) => (ordinary.test(literal) ? ordinaryWorth : literal.length))) -
      literals.length * 0.01;

/** Returns the more useful set. Of two equal sets it is the later one, because patterns often share their start. */
const better = (one: Literals, other: Literals): Literals => (worth(other) >= worth(one) ? other : one);

/** `optional`: once or never. `maybe`: any number of times. */
type Quantifier = 'once' | 'many' | 'optional' | 'maybe';

interface Sequence {
  required: Literals;
  /** The whole sequence if it is plain text. */
  exact: string | undefined;
  /** One literal of each set is required. */
  sets: string[][];
}

interface Atom {
  required: Literals;
  /** All texts of a group, if its branches are plain text. */
  exact?: string[] | undefined;
}

class LiteralReader extends RegexReader {
  private readonly anyScript: boolean;
  private readonly starts: boolean;
  constructor(source: string, { anyScript, starts }: { anyScript: boolean; starts: boolean }) {
    super(source);
    this.anyScript = anyScript;
    this.starts = starts;
  }

  branches(): Sequence[] {
    return this.alternatives(() => this.sequence());
  }

  /** An alternation requires a literal only if every branch requires one. */
  alternation(): Atom {
    const branches = this.branches();
    const exact = branches.flatMap((branch) => branch.exact ?? []);
    const all = branches.flatMap(({ required }) => required ?? []);
    const isRequired = branches.every(({ required }) => required !== undefined) && all.length <= maxAlternatives;
    return {
      required: isRequired ? all : undefined,
      exact: exact.length === branches.length && exact.length <= maxAlternatives ? exact : undefined,
    };
  }

  private sequence(): Sequence {
    let best: Literals;
    // The possible texts at this place. An optional character doubles them.
    let runs = [''];
    let exact: string | undefined = '';
    const sets: string[][] = [];
    const need = (literals: Literals): void => {
      best = better(best, literals);
      if (literals) sets.push(literals);
    };
    const endRun = (): void => {
      if (runs.every((run) => run !== '' && run !== wordStart)) need(runs);
      runs = [''];
    };
    const extend = (text: string): void => {
      runs = runs.map((run) => run + text);
    };
    while (this.hasAtom()) {
      const atom = this.atom();
      const quantifier = this.times();
      if (atom === wordStart) {
        endRun();
        runs = [wordStart];
        exact = exact === '' ? wordStart : undefined;
        continue;
      }
      if (typeof atom === 'string') {
        exact = quantifier === 'once' && exact !== undefined ? exact + atom : undefined;
        if (quantifier === 'once') extend(atom);
        else if (quantifier === 'many') {
          extend(atom);
          endRun();
        } else if (quantifier === 'optional' && this.anyScript && runs.length <= maxRuns / 2)
          runs = runs.flatMap((run) => [run, run + atom]);
        else endRun();
        continue;
      }
      exact = undefined;
      const before = runs;
      endRun();
      if (quantifier === 'maybe' || quantifier === 'optional') continue;
      need(atom.required);
      // The group directly follows the text. Both together are therefore required.
      if (atom.exact && (before.join('') === '' || !atom.exact.some((text) => text.startsWith(wordStart))))
        need(atom.exact.flatMap((text) => before.map((run) => run + text)));
    }
    endRun();
    return { required: best, exact, sets };
  }

  private times(): Quantifier {
    const read = this.quantifier();
    if (read === undefined) return 'once';
    if (read.least > 0) return 'many';
    return read.most === 1 ? 'optional' : 'maybe';
  }

  /** Reads one literal character, or the literals that a class, group or other atom requires. */
  private atom(): string | Atom {
    const symbol = this.source[this.at++] ?? '';
    if (symbol === '\\') {
      const escaped = this.source[this.at++] ?? '';
      if (!/[a-z0-9]/i.test(escaped)) return escaped;
      if (escaped === 'b' && this.starts) return wordStart;
      // Escapes such as \x41 and \1 count as unknown. Their digits are skipped, because they are not literals.
      if (escaped === 'x') this.at += 2;
      if (escaped === 'u') this.at += 4;
      return { required: undefined };
    }
    if (symbol === '[') {
      if (this.source[this.at] === '^') this.at++;
      if (this.source[this.at] === ']') this.at++;
      this.skipClass();
      return { required: undefined };
    }
    if (symbol === '(') return this.groupAtom();
    if (symbol === '.' || symbol === '^' || symbol === '$') return { required: undefined };
    return symbol.charCodeAt(0) < 128 || this.anyScript ? symbol : { required: undefined };
  }

  private groupAtom(): Atom {
    const { opening, inner } = this.group(() => this.alternation());
    if (opening === '?!' || opening === '?<!') return { required: undefined };
    // A look-ahead does not consume its text.
    return opening === '?=' || opening === '?<=' ? { required: inner.required } : inner;
  }
}

/**
 * Returns literals as the pattern writes them. A match has one of them. Empty if no literal of at least `shortest` characters is required.
 *
 * `anyScript`: includes characters beyond ASCII, and both texts around an optional character. The text is then searched in lower case.
 * `starts`: a literal after `\b` starts with {@link wordStart}.
 */
export function writtenLiterals(
  source: string,
  { shortest = 3, anyScript = false, starts = false } = {},
): readonly string[] {
  const found = new LiteralReader(source, { anyScript, starts }).alternation().required ?? [];
  return found.every((literal) => isTelling(literal.replace(wordStart, ''), shortest)) ? found : [];
}

/** Whether a literal is rare enough. Even a single character beyond ASCII occurs on few pages. */
const isTelling = (literal: string, shortest: number): boolean =>
  literal.length >= shortest || literal.charCodeAt(0) > 127;

/** Like {@link writtenLiterals}, but in lower case. */
export const requiredLiterals = (source: string, options?: { shortest?: number }): string[] =>
  writtenLiterals(source, options).map((literal) => literal.toLowerCase());

/**
 * Returns a quick check of whether a text may match the pattern. The text must contain, in any case, a literal of each set that one of the
 * branches requires.
 */
export function quickCheck(source: string): (text: string) => boolean {
  const branches = new LiteralReader(source, { anyScript: false, starts: false })
    .branches()
    .map(({ sets }) => sets.map((set) => set.map((literal) => literal.toLowerCase())))
    .map((sets) => sets.filter((set) => set.every(({ length }) => length >= 3)));
  if (branches.some(({ length }) => length === 0)) return () => true;
  return (text) => {
    const lower = text.toLowerCase();
    return branches.some((sets) => sets.every((set) => set.some((literal) => lower.includes(literal))));
  };
}

/** The matched text if the pattern is plain text (`klaviyo\.com`), otherwise undefined. */
export function plainLiteral(source: string): string | undefined {
  const bare = source.replace(/\\[^a-zA-Z0-9]/g, '');
  if (/[\\^$.*+?()[\]{}|]|[^ -~]/.test(bare)) return undefined;
  return source.replace(/\\([^a-zA-Z0-9])/g, '$1');
}
