import { ListError } from './list-error.ts';

/** The maximum number of characters of a row. */
export const maxRowLength = 1_000_000;

/** The lines of a text. Their numbers count from 1. A line ends with LF, CR LF or CR. */
export async function* linesOf(
  text: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text: string }, void, undefined> {
  let open = '';
  let line = 1;
  for await (const chunk of text) {
    open += chunk;
    let start = 0;
    // A CR at the end may be the first half of CR LF.
    for (const { 0: ending, index } of open.matchAll(/\r\n|\n|\r(?!$)/g)) {
      yield { line: line++, text: open.slice(start, index) };
      start = index + ending.length;
    }
    open = open.slice(start);
    if (open.length > maxRowLength) {
      throw new ListError(`A row is longer than ${maxRowLength.toLocaleString('en')} characters (line ${line}).`);
    }
  }
  if (open.endsWith('\r')) yield { line, text: open.slice(0, -1) };
  else if (open !== '') yield { line, text: open };
}
