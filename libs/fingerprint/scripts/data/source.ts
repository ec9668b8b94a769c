import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';

/**
 * Files of `data/` with the line of each member.
 *
 * - A table is one file, or a folder whose files are parts of one list.
 * - Broken YAML, a duplicate key -> a problem with file and line; the other files are read.
 */
export interface Problem {
  file: string;
  line: number;
  message: string;
}

export type Path = readonly PropertyKey[];

const root = fileURLToPath(new URL('../../../..', import.meta.url));

interface DataFile {
  name: string;
  value: unknown;
  problems: Problem[];
  lineOf: (path: Path) => number;
}

export class Source {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  private readonly files: readonly DataFile[];
  private readonly isFolder: boolean;

  /** `path`: a file or folder. */
  constructor(path: string) {
    this.isFolder = statSync(path).isDirectory();
    const paths = this.isFolder
      ? readdirSync(path)
          .filter((name) => name.endsWith('.yaml'))
          .sort()
          .map((name) => join(path, name))
      : [path];
    this.files = paths.map(readFile);
    this.problems = this.files.flatMap(({ name, value, problems }) =>
      this.isFolder && !Array.isArray(value) && problems.length === 0
        ? [{ file: name, line: 1, message: 'the file is not a list' }]
        : problems,
    );
    this.value = this.isFolder ? this.files.flatMap(({ value }) => value) : this.files[0]?.value;
  }

  /** The problem of the member at `path`. A missing member has the line of what should have it. */
  problemAt(path: Path, message: string): Problem {
    const { file, index } = this.placeOf(Number(path[0]));
    return problemIn(file, this.isFolder ? [index, ...path.slice(1)] : path, message);
  }

  partOf(index: number): string {
    return basename(this.placeOf(index).file.name, '.yaml');
  }

  private placeOf(index: number): { file: DataFile; index: number } {
    if (!this.isFolder) return { file: this.files[0] as DataFile, index };
    let rest = index;
    for (const file of this.files) {
      const { length } = file.value as unknown[];
      if (rest < length) return { file, index: rest };
      rest -= length;
    }
    throw new Error(`No file has row ${index}.`);
  }
}

/** The number of a row says nothing to a reader, because the line is known. */
function problemIn({ name, lineOf }: DataFile, path: Path, message: string): Problem {
  const member = path
    .map((part) => (typeof part === 'number' ? '' : String(part)))
    .filter((part) => part !== '')
    .join('.');
  return { file: name, line: lineOf(path), message: member === '' ? message : `${member}: ${message}` };
}

function readFile(path: string): DataFile {
  const name = relative(root, path);
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number | undefined): number => Math.max(1, lines.linePos(offset ?? 0).line);
  const problems = [...document.errors, ...document.warnings].map(({ message, pos: [start] }) => ({
    file: name,
    line: lineAt(start),
    message,
  }));
  return {
    name,
    value: problems.length === 0 ? document.toJS() : [],
    problems,
    lineOf: (path) => lineAt(offsetOf(document.contents, path)),
  };
}

function offsetOf(contents: Node | null, path: Path): number | undefined {
  let node: unknown = contents;
  let offset = contents?.range?.[0];
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : '') === String(part));
      if (!pair) break;
      offset = (pair as Pair<Node>).key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
