import { LiteralScanner } from '../engine/aho-corasick.ts';
import { requiredLiterals } from '../engine/required-literals.ts';

const shortestLiteral = 2;

/**
 * Regular expressions behind one literal scan: an expression runs only on a text that contains one of the literals that
 * it requires. An expression that requires none always runs.
 */
export class MarkIndex<Mark extends { form: RegExp }> {
  private readonly marks: readonly Mark[];
  private readonly scanner: LiteralScanner;
  private readonly marksOf: readonly number[][];
  private readonly always: Uint8Array;

  constructor(marks: readonly Mark[]) {
    const ids = new Map<string, number[]>();
    this.marks = marks;
    this.always = Uint8Array.from(marks, ({ form }, id) => {
      const literals = requiredLiterals(form.source, { shortest: shortestLiteral, anyScript: true });
      for (const literal of new Set(literals)) ids.set(literal, [...(ids.get(literal) ?? []), id]);
      return literals.length === 0 ? 1 : 0;
    });
    this.marksOf = [...ids.values()];
    this.scanner = new LiteralScanner([...ids.keys()]);
  }

  /** The marks that match `text`, in their order. */
  matching(text: string): Mark[] {
    const possible = this.always.slice();
    this.scanner.scan(text.toLowerCase(), (literal) => {
      for (const id of this.marksOf[literal] as number[]) possible[id] = 1;
    });
    return this.marks.filter(({ form }, id) => possible[id] === 1 && form.test(text));
  }
}
