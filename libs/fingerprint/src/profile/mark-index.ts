import { LiteralScanner } from '../engine/aho-corasick.ts';
import { wordStart, writtenLiterals } from '../engine/required-literals.ts';

const shortestLiteral = 2;

/** What an expression requires of a place where its literal occurs without regard to case. */
interface Condition {
  mark: number;
  /** The literal itself, when its case counts. */
  exact: string | undefined;
  /** Whether a word starts there. */
  startsWord: boolean;
}

/** The expressions that require a literal. */
interface Literal {
  text: string;
  conditions: readonly Condition[];
  /** Whether all of them require that a word starts there. */
  startsWord: boolean;
}

const isWordCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

/**
 * Regular expressions behind one literal scan: an expression runs only on a text that contains one of the literals that
 * it requires. An expression that requires none always runs.
 */
export class MarkIndex<Mark extends { form: RegExp }> {
  private readonly marks: readonly Mark[];
  private readonly scanner: LiteralScanner;
  private readonly literals: readonly Literal[];
  private readonly always: Uint8Array;

  constructor(marks: readonly Mark[]) {
    const conditions = new Map<string, Condition[]>();
    this.marks = marks;
    this.always = Uint8Array.from(marks, ({ form }, mark) => {
      const written = writtenLiterals(form.source, { shortest: shortestLiteral, anyScript: true, starts: true });
      for (const text of new Set(written)) {
        const bare = text.replace(wordStart, '');
        const literal = bare.toLowerCase();
        const startsWord = bare !== text && isWordCharacter(bare.charCodeAt(0));
        const list = conditions.get(literal) ?? [];
        conditions.set(literal, [...list, { mark, exact: form.ignoreCase ? undefined : bare, startsWord }]);
      }
      return written.length === 0 ? 1 : 0;
    });
    this.literals = Array.from(conditions, ([text, list]) => ({
      text,
      conditions: list,
      startsWord: list.every(({ startsWord }) => startsWord),
    }));
    this.scanner = new LiteralScanner([...conditions.keys()]);
  }

  /** The marks that match `text`, in their order. */
  matching(text: string): Mark[] {
    const possible = this.always.slice();
    const lower = text.toLowerCase();
    // Some characters become two in lower case. Then places in the two texts differ.
    const isAligned = lower.length === text.length;
    this.scanner.scan(lower, (id, end) => {
      const { text: literal, conditions, startsWord } = this.literals[id] as Literal;
      const at = end - literal.length;
      const isInWord = isAligned && at > 0 && isWordCharacter(text.charCodeAt(at - 1));
      if (startsWord && isInWord) return;
      for (let i = 0; i < conditions.length; i++) {
        const condition = conditions[i] as Condition;
        if (possible[condition.mark] === 1 || (condition.startsWord && isInWord)) continue;
        const { exact } = condition;
        if (exact === undefined || !isAligned || text.startsWith(exact, at)) possible[condition.mark] = 1;
      }
    });
    return this.marks.filter(({ form }, id) => possible[id] === 1 && form.test(text));
  }
}
