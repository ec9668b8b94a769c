/** The name of the list with the fewest edits from the typed text: at most two, or a third of its length. A long text is cut: it is no name. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const measured = candidates
    .map((candidate) => ({ candidate, edits: editDistance(typed.slice(0, 60), candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, Math.floor(candidate.length / 3)));
  return measured.sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const previous = row;
    row = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] as number) + (from[line - 1] === to[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[column] as number) + 1, (row[column - 1] as number) + 1));
    }
  }
  return row[to.length] as number;
}
