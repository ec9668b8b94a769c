import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';

/**
 * Reads files of `data/` with the line of each member.
 *
 * - A table is one file, or a folder whose files are parts of one list.
 * - A file has broken YAML or a duplicate key -> a problem with its file and line. The other files are read.
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
  placeOf: (path: Path) => Place;
}

export class Source {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  private readonly files: readonly DataFile[];
  private readonly isFolder: boolean;

  /** `path` is a file or a folder. */
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

  /** Returns the problem of the member at `path`. A missing member has the line of the object that should have it. */
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

interface Place {
  line: number;
  /** The part of the path that exists in the file. */
  written: Path;
}

function problemIn({ name, placeOf }: DataFile, path: Path, message: string): Problem {
  const { line, written } = placeOf(path);
  // The number of a row is left out, because the line is known.
  const member = written.filter((part) => typeof part !== 'number').join('.');
  return { file: name, line, message: member === '' ? message : `${member}: ${message}` };
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
    placeOf: (path) => {
      const { offset, written } = find(document.contents, path);
      return { line: lineAt(offset), written };
    },
  };
}

/** Schemas read a text as an object with one member. The place of that member is therefore the place of the text. */
function find(contents: Node | null, path: Path): { offset: number | undefined; written: Path } {
  let node: unknown = contents;
  let offset = contents?.range?.[0];
  for (const [at, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return { offset, written: path.slice(0, at + 1) };
      offset = (pair as Pair<Node>).key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else return { offset, written: path.slice(0, at) };
  }
  return { offset, written: path };
}
