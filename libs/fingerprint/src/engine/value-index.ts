import type { RE2JS } from 're2js';
import { requiredLiterals } from './required-literals.ts';
import type { Pattern } from './rule.ts';
import { compileRegex, type OnMatch, type RegexBudget, searchBounded, TextIndex } from './text-index.ts';

const maxValueChars = 2000;

interface Plain {
  slug: string;
  pattern: Pattern;
  regex: RE2JS | undefined;
}

/** The patterns for one kind of short value: the content of a meta tag, a header or a cookie, or the page's address. */
export class ValueIndex {
  /** Patterns with a literal. They run only on values that contain it. */
  private readonly texts: TextIndex;
  private readonly others: Plain[];

  constructor(patterns: readonly { slug: string; pattern: Pattern }[]) {
    const hasLiteral = ({ pattern }: { pattern: Pattern }) => requiredLiterals(pattern.regex).length > 0;
    this.texts = new TextIndex(patterns.filter(hasLiteral), { lines: true });
    this.others = patterns.filter((one) => !hasLiteral(one)).map((one) => ({ ...one, regex: undefined }));
  }

  search(value: string, budget: RegexBudget, onMatch: OnMatch): void {
    const text = value.slice(0, maxValueChars).replaceAll('\n', ' ');
    this.texts.search(text, budget, onMatch);
    for (const one of this.others) {
      const { pattern, slug } = one;
      if (pattern.regex !== '') {
        budget.chars -= text.length;
        if (budget.chars < 0) return;
        one.regex ??= compileRegex(pattern);
      }
      const version = one.regex ? searchBounded(one.regex, text, pattern, slug) : '';
      if (version !== undefined) onMatch(pattern, slug, { version });
    }
  }
}
