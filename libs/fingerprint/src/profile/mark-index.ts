import { LiteralScanner } from '../engine/aho-corasick.ts';
import { longestMatch } from '../engine/longest-match.ts';
import { wordStart, writtenLiterals } from '../engine/required-literals.ts';

const shortestLiteral = 2;

/** The conditions of an expression on a place where its literal occurs in any case. */
interface Condition {
  mark: number;
  /** The literal itself if it is case-sensitive. */
  exact: string | undefined;
  /** Whether a word must start there. */
  startsWord: boolean;
}

/** A literal with the expressions that require it. */
interface Literal {
  text: string;
  conditions: readonly Condition[];
  /** Whether all of them require a word start there. */
  startsWord: boolean;
}

const isWordCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

/**
 * Searches regular expressions behind one literal scan. An expression runs only where a text contains one of its required literals, on as
 * many characters around it as a match may have. An expression runs on the whole text if it requires no literal, or if its matches may have
 * any length.
 */
export class MarkIndex<Mark extends { form: RegExp }> {
  private readonly marks: readonly Mark[];
  private readonly scanner: LiteralScanner;
  private readonly literals: readonly Literal[];
  /** The marks that run on the whole text. */
  private readonly always: readonly number[];
  /** The largest distance of a match from its literal. */
  private readonly reaches: readonly number[];

  constructor(marks: readonly Mark[]) {
    const conditions = new Map<string, Condition[]>();
    this.marks = marks;
    // One more character on each side decides whether a word starts or ends there.
    this.reaches = marks.map(({ form }) => longestMatch(form) + 1);
    const always: number[] = [];
    this.always = always;
    marks.forEach(({ form }, mark) => {
      const written = writtenLiterals(form.source, { shortest: shortestLiteral, anyScript: true, starts: true });
      for (const text of new Set(written)) {
        const bare = text.replace(wordStart, '');
        const literal = bare.toLowerCase();
        const startsWord = bare !== text && isWordCharacter(bare.charCodeAt(0));
        const list = conditions.get(literal) ?? [];
        conditions.set(literal, [...list, { mark, exact: form.ignoreCase ? undefined : bare, startsWord }]);
      }
      if (written.length === 0) always.push(mark);
    });
    this.literals = Array.from(conditions, ([text, list]) => ({
      text,
      conditions: list,
      startsWord: list.every(({ startsWord }) => startsWord),
    }));
    this.scanner = new LiteralScanner([...conditions.keys()]);
  }

  /** Returns the marks that match `text`, in their order. */
  matching(text: string): Mark[] {
    const { marks, reaches } = this;
    const possible = new Uint8Array(marks.length);
    for (const mark of this.always) possible[mark] = 1;
    /** The marks that may match, in any order. */
    const found = this.always.slice();
    // By mark: the last part of the text that has not been searched yet.
    const from = new Int32Array(marks.length);
    const to = new Int32Array(marks.length);
    const searchPart = (mark: number): void => {
      const { form } = marks[mark] as Mark;
      if (to[mark] !== 0 && form.test(text.slice(from[mark], to[mark]))) possible[mark] = 1;
    };
    const lower = text.toLowerCase();
    // Some characters become two in lower case. Offsets in the two texts then differ.
    const isAligned = lower.length === text.length;
    this.scanner.scan(lower, (id, end) => {
      const { text: literal, conditions, startsWord } = this.literals[id] as Literal;
      const at = end - literal.length;
      const isInWord = isAligned && at > 0 && isWordCharacter(text.charCodeAt(at - 1));
      if (startsWord && isInWord) return;
      for (let i = 0; i < conditions.length; i++) {
        const { mark, exact, startsWord: isStart } = conditions[i] as Condition;
        if (possible[mark] === 1 || (isStart && isInWord)) continue;
        if (exact !== undefined && isAligned && !text.startsWith(exact, at)) continue;
        if (to[mark] === 0) found.push(mark);
        const reach = reaches[mark] as number;
        if (!isAligned || reach >= text.length) {
          possible[mark] = 1;
          to[mark] = text.length;
          continue;
        }
        const start = Math.max(0, at - reach);
        if (start > (to[mark] as number)) {
          searchPart(mark);
          from[mark] = start;
        }
        to[mark] = Math.min(text.length, end + reach);
      }
    });
    return found
      .filter((mark) => {
        if (possible[mark] === 0) searchPart(mark);
        // At the ends of a part, an expression may match although it does not match there in the whole text.
        return possible[mark] === 1 && (marks[mark] as Mark).form.test(text);
      })
      .sort((one, other) => one - other)
      .map((mark) => marks[mark] as Mark);
  }
}
