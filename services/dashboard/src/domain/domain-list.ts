import { canonicalizeDomain } from '@shopscope/domain-name';
import { type List, readList } from '@shopscope/lists';

/** Domains of a pasted text or a file. */
export interface DomainList {
  domains: string[];
  bad: { count: number; lines: { line: number; text: string }[] };
  duplicates: { count: number; lines: number[] };
  encoding: List['encoding'];
  /** The first line beyond the bound, in a list with more lines. No line was made canonical then. */
  tooLongAtLine?: number;
}

export const listLinesMax = 10_000;
export const listBytesMax = 1024 * 1024;
export const reportedMax = 100;
const shownTextMax = 60;

/**
 * Reads domains as `@shopscope/lists` finds them: lines, or a column of a table.
 *
 * - Canonical domains are kept once, in the order of their first lines.
 * - An empty line is skipped. A line that has no domain, and one that repeats a domain, are reported by number.
 * - Bounds: {@link listBytesMax}, {@link listLinesMax} lines with text, {@link reportedMax} reported lines of each kind. The lines are
 *   counted before the first one is made canonical, because that is the expensive part.
 * - Throws ListError for bytes that are no list.
 */
export async function readDomainList(bytes: Uint8Array): Promise<DomainList> {
  const seen = new Set<string>();
  const read = readList(once(bytes), { shape: 'any' });
  const rows: { line: number; input: string }[] = [];
  for await (const { line, input } of read) {
    if (input === '') continue;
    if (rows.length === listLinesMax) return { ...emptyList(read.encoding), tooLongAtLine: line };
    rows.push({ line, input });
  }
  const list = emptyList(read.encoding);
  for (const { line, input } of rows) {
    const canonical = canonicalizeDomain(input);
    if (!canonical.ok) {
      list.bad.count++;
      if (list.bad.lines.length < reportedMax) list.bad.lines.push({ line, text: input.slice(0, shownTextMax) });
    } else if (seen.has(canonical.value.domain)) {
      list.duplicates.count++;
      if (list.duplicates.lines.length < reportedMax) list.duplicates.lines.push(line);
    } else {
      seen.add(canonical.value.domain);
      list.domains.push(canonical.value.domain);
    }
  }
  return list;
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
