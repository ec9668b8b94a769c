/** Parts of a GraphQL document that the form to try it needs. The API parses the document; this does not. */

/** Comments, texts, brackets and names. A text that does not end takes the rest of its line or document, so that one pass is enough. */
const tokens = /#[^\n\r]*|"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|[{}()[\]]|[_A-Za-z]\w*/g;

/** The names of the operations of a document, in their order. An operation without a name is left out. */
export function operationNamesOf(document: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let previous = '';
  for (const [token] of document.matchAll(tokens)) {
    if (token.startsWith('#') || token.startsWith('"')) continue;
    if ('{(['.includes(token)) depth += 1;
    else if ('})]'.includes(token)) depth -= 1;
    else if (depth === 0 && previous === 'query') names.push(token);
    previous = depth === 0 ? token : '';
  }
  return names;
}

export interface Place {
  line: number;
  column: number;
}

/** The place in the document that a message of the API names. */
export function placeIn(message: string): Place | undefined {
  const [, line, column] = /\(line (\d{1,6}), column (\d{1,6})\)$/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

const linesAround = 2;
const maxLineLength = 500;

/** The lines around a place, with their numbers. */
export function linesAt(document: string, { line }: Place): { number: number; text: string }[] {
  return document
    .split(/\r\n|[\n\r]/)
    .map((text, n) => ({ number: n + 1, text: text.slice(0, maxLineLength) }))
    .slice(Math.max(0, line - 1 - linesAround), line + linesAround);
}
