import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { type Path, type Problem, Source } from './source.ts';
import type { AnyTable, Table } from './table.ts';

export const dataFolder = fileURLToPath(new URL('../../data/', import.meta.url));

export function readTable(
  { schema, check }: AnyTable,
  source: Source,
): { data?: unknown; problems: readonly Problem[] } {
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

/** Returns the data of one table. Throws if it is invalid. */
export function dataOf<Data>(table: Table<Data>): Data {
  const { data, problems } = readTable(table, new Source(join(dataFolder, table.source)));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return data as Data;
}
