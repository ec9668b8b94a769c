import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { checkCompleteness } from './completeness.ts';
import { checkReferences, type DataOf, type Reference } from './references.ts';
import { type Path, type Problem, Source } from './source.ts';
import type { AnyTable, Table } from './table.ts';
import { tables } from './tables.ts';

/**
 * Compiles the tables of `data/` to the files that the package reads, so that it parses no YAML when it starts.
 *
 * - Deterministic: the same data gives the same bytes.
 * - Invalid data -> every problem of every table, and no output of that table.
 */
export interface Compiled {
  outputs: { name: string; text: string }[];
  problems: Problem[];
}

const dataFolder = fileURLToPath(new URL('../../data/', import.meta.url));

export function compileTables(
  folder = dataFolder,
  all: readonly AnyTable[] = tables,
  references: (dataOf: DataOf) => Reference[] = (dataOf) => [...checkReferences(dataOf), ...checkCompleteness(dataOf)],
): Compiled {
  const sources = new Map(all.map((table) => [table, new Source(join(folder, table.source))]));
  const data = new Map<AnyTable, unknown>();
  const problems: Problem[] = [];
  for (const [table, source] of sources) {
    const read = readTable(table, source);
    problems.push(...read.problems);
    if (read.problems.length === 0) data.set(table, read.data);
  }
  // Each table is valid, so that a fault is reported once.
  if (problems.length === 0)
    for (const { table, path, message } of references((table) => data.get(table) as never))
      problems.push((sources.get(table) as Source).problemAt(path, message));
  const outputs = [...data].flatMap(([{ output, compile }, value]) =>
    output === undefined ? [] : [{ name: `${output}.rules.json`, text: textOf(compile ? compile(value) : value) }],
  );
  return { outputs, problems };
}

/** The valid data of one table. */
export function dataOf<Data>(table: Table<Data>): Data {
  const { data, problems } = readTable(table, new Source(join(dataFolder, table.source)));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return data as Data;
}

function readTable({ schema, check }: AnyTable, source: Source): { data?: unknown; problems: readonly Problem[] } {
  if (source.problems.length > 0) return { problems: source.problems };
  const { success, data, error } = schema.safeParse(source.value);
  const findings = success
    ? (check?.(data, { partOf: (index) => source.partOf(index) }) ?? [])
    : error.issues.flatMap((issue) => placesOf(issue).map((path) => ({ path, message: issue.message })));
  return { data, problems: findings.map(({ path, message }) => source.problemAt(path, message)) };
}

/** An issue about unknown members names the object that has them. */
const placesOf = (issue: z.core.$ZodIssue): Path[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** JSON with one object of a list per line, also of the lists that are members of an object. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `${rowsOf(value)}\n`;
  const members = Object.entries(value as Record<string, unknown>).map(
    ([name, member]) => `${JSON.stringify(name)}: ${Array.isArray(member) ? rowsOf(member) : JSON.stringify(member)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

const rowsOf = (rows: readonly unknown[]): string =>
  rows.some((row) => typeof row === 'object')
    ? `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`
    : JSON.stringify(rows);
