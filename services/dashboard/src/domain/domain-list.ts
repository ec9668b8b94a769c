import { canonicalizeDomain, maxInputLength } from '@shopscope/domain-name';

/**
 * Reads domains from pasted text or a CSV file: one per line, in the first column.
 *
 * - Canonical domains are kept once, in the order of their first lines.
 * - An empty line and a header are skipped. A line that has no domain, and one that repeats a domain, are reported by number.
 * - Bounds: texts of {@link listBytesMax}, {@link listLinesMax} lines with text, {@link reportedMax} reported lines of each kind. The
 *   lines are counted before the first one is made canonical, because that is the expensive part.
 */
export interface DomainList {
  domains: string[];
  bad: { count: number; lines: { line: number; text: string }[] };
  duplicates: { count: number; lines: number[] };
  /** The first line beyond the bound, in a text with more lines. No line was read then. */
  tooLongAtLine?: number;
}

export const listLinesMax = 10_000;
export const listBytesMax = 1024 * 1024;
export const reportedMax = 100;
const shownTextMax = 60;
/** The first column is within it, also when each of its characters is a doubled quote. */
const rowMax = 2 * maxInputLength + 2;

export function readDomainList(text: string): DomainList {
  const seen = new Set<string>();
  const list: DomainList = { domains: [], bad: { count: 0, lines: [] }, duplicates: { count: 0, lines: [] } };
  const cells: { line: number; cell: string }[] = [];
  let hasContent = false;
  for (const { line, row } of rowsOf(text.replace(/^\uFEFF/, ''))) {
    const cell = firstCell(row);
    if (cell === '') continue;
    const isHeader = !hasContent && headers.has(cell.toLowerCase());
    hasContent = true;
    if (isHeader) continue;
    if (cells.length === listLinesMax) return { ...list, tooLongAtLine: line };
    cells.push({ line, cell });
  }
  for (const { line, cell } of cells) {
    const canonical = canonicalizeDomain(cell);
    if (!canonical.ok) {
      list.bad.count++;
      if (list.bad.lines.length < reportedMax) list.bad.lines.push({ line, text: cell.slice(0, shownTextMax) });
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

const headers = new Set(['domain', 'domains', 'host', 'hostname', 'store', 'stores', 'url', 'urls', 'website']);

/** The lines with characters, read one after the other: nothing behind the bound costs anything. */
function* rowsOf(text: string): Generator<{ line: number; row: string }> {
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    let end = start;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    if (end > start) yield { line, row: text.slice(start, end) };
    start = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
}

function firstCell(row: string): string {
  const text = row.trim().slice(0, rowMax);
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return (quoted?.replaceAll('""', '"') ?? text.split(/[,;\t]/, 1)[0] ?? '').trim();
}
