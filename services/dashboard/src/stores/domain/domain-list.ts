import { canonicalizeDomain } from '@shopscope/domain-name';
import { type List, readList } from '@shopscope/lists';

export interface DomainList {
  domains: string[];
  bad: { count: number; lines: { line: number; text: string }[] };
  duplicates: { count: number; lines: number[] };
  encoding: List['encoding'];
  /** The number of the first line above the limit, if the list has too many lines. No line is then made canonical. */
  tooLongAtLine?: number;
}

export const maxListLines = 10_000;
export const maxListBytes = 1024 * 1024;
export const maxReported = 100;
const maxShownText = 60;

/**
 * Reads domains as `@shopscope/lists` finds them: in lines, or in a column of a table.
 *
 * - Each canonical domain is kept once. The order is that of their first lines.
 * - If the list has only one line, it may have several domains; each of its cells must then be a domain.
 * - An empty line is skipped. A line without a domain, and a line that repeats a domain, are reported with their number.
 * - Bounds: {@link maxListBytes}, {@link maxListLines} lines with text, {@link maxReported} reported lines of each kind. The lines are
 *   counted before the first one is made canonical, because that is the expensive part.
 * - Throws ListError if the bytes are not a list.
 */
export async function readDomainList(bytes: Uint8Array): Promise<DomainList> {
  const seen = new Set<string>();
  const read = readList(once(bytes), { shape: 'any' });
  let rows: { line: number; input: string; cells?: readonly string[] }[] = [];
  for await (const row of read) {
    if (row.input === '') continue;
    if (rows.length === maxListLines) return { ...emptyList(read.encoding), tooLongAtLine: row.line };
    rows.push(row);
  }
  if (rows.length === 1 && !read.header) rows = rows.flatMap(domainsOfLine);
  const list = emptyList(read.encoding);
  for (const { line, input } of rows) {
    const canonical = canonicalizeDomain(input);
    if (!canonical.ok) {
      list.bad.count++;
      if (list.bad.lines.length < maxReported) list.bad.lines.push({ line, text: input.slice(0, maxShownText) });
    } else if (seen.has(canonical.value.domain)) {
      list.duplicates.count++;
      if (list.duplicates.lines.length < maxReported) list.duplicates.lines.push(line);
    } else {
      seen.add(canonical.value.domain);
      list.domains.push(canonical.value.domain);
    }
  }
  return list;
}

/** The cells of a line that is a list itself, such as `a.example, b.example`. Any other line is returned unchanged. */
function domainsOfLine(row: { line: number; input: string; cells?: readonly string[] }) {
  const inputs = (row.cells ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isList =
    inputs.length > 1 && inputs.length <= maxListLines && inputs.every((each) => canonicalizeDomain(each).ok);
  return isList ? inputs.map((input) => ({ line: row.line, input })) : [row];
}

const emptyList = (encoding: List['encoding']): DomainList => ({
  domains: [],
  bad: { count: 0, lines: [] },
  duplicates: { count: 0, lines: [] },
  encoding,
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
