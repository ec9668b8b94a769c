import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { type Path, type Problem, Source } from './source.ts';
import type { AnyTable } from './table.ts';
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

export function compileTables(folder = dataFolder, all: readonly AnyTable[] = tables): Compiled {
  const compiled: Compiled = { outputs: [], problems: [] };
  for (const table of all) {
    const { text, problems } = compileTable(`${folder}/${table.source}`, table);
    compiled.problems.push(...problems);
    if (text !== undefined) compiled.outputs.push({ name: `${table.output}.rules.json`, text });
  }
  return compiled;
}

function compileTable(path: string, { schema, check, compile }: AnyTable): { text?: string; problems: Problem[] } {
  const source = new Source(path);
  if (source.problems.length > 0) return { problems: [...source.problems] };
  const parsed = schema.safeParse(source.value);
  const findings = parsed.success
    ? (check?.(parsed.data, { partOf: (index) => source.partOf(index) }) ?? [])
    : parsed.error.issues.flatMap((issue) => placesOf(issue).map((path) => ({ path, message: issue.message })));
  const problems = findings.map(({ path, message }) => source.problemAt(path, message));
  return problems.length > 0 || !parsed.success ? { problems } : { text: textOf(compile(parsed.data)), problems };
}

/** An issue about unknown members names the object that has them. */
const placesOf = (issue: z.core.$ZodIssue): Path[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** JSON with one entry of a list per line, also of the lists that are members of an object. */
function textOf(value: unknown, depth = 0): string {
  if (Array.isArray(value))
    return `[\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]${depth === 0 ? '\n' : ''}`;
  const members = Object.entries(value as Record<string, unknown>).map(
    ([name, member]) =>
      `${JSON.stringify(name)}: ${Array.isArray(member) ? textOf(member, depth + 1) : JSON.stringify(member)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}
