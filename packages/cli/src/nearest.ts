/**
 * The name that differs from the word by the fewest typing errors, at most two. Undefined: none does.
 *
 * tools/admin has one of its own, with another bound. This package is published, so it may not depend on a private one. Its tests depend on
 * admin, so admin may not depend on it.
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const close = names
    .map((name) => ({ name, errors: typingErrors(word, name) }))
    .filter(({ errors }) => errors <= 2)
    .toSorted((a, b) => a.errors - b.errors);
  return close[0]?.name;
}

/** Letters to insert, to delete or to replace (the distance of Levenshtein). A long word is cut: it is no name. */
function typingErrors(word: string, name: string): number {
  const letters = [...word.slice(0, 40)];
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (const [n, letter] of letters.entries()) {
    const next = [n + 1];
    for (let at = 1; at <= name.length; at++) {
      const replaced = (row[at - 1] as number) + (letter === name[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] as number) + 1, (next[at - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
