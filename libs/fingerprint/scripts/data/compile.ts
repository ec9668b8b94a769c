import { join } from 'node:path';
import { checkCompleteness } from './checks/completeness.ts';
import type { Check } from './checks/finding.ts';
import { checkNames } from './checks/names.ts';
import { checkPlatformsOfSources } from './checks/platforms-of-sources.ts';
import { checkProducts } from './checks/products.ts';
import { checkReferences } from './checks/references.ts';
import { dataFolder, readTable } from './read.ts';
import { type Problem, Source } from './source.ts';
import type { AnyTable } from './table.ts';
import { tables } from './tables.ts';

/**
 * Compiles the tables of `data/` to the files that the package reads. The package therefore parses no YAML when it starts.
 *
 * - Deterministic: the same data gives the same bytes.
 * - A table is invalid -> every problem of every table is returned, and that table has no output.
 */
export interface Compiled {
  outputs: { name: string; text: string }[];
  problems: Problem[];
}

const checks: readonly Check[] = [
  checkNames,
  checkReferences,
  checkCompleteness,
  checkProducts,
  checkPlatformsOfSources,
];

export function compileTables(
  folder = dataFolder,
  all: readonly AnyTable[] = tables,
  across: readonly Check[] = checks,
): Compiled {
  const sources = new Map(all.map((table) => [table, new Source(join(folder, table.source))]));
  const data = new Map<AnyTable, unknown>();
  const problems: Problem[] = [];
  for (const [table, source] of sources) {
    const read = readTable(table, source);
    problems.push(...read.problems);
    if (read.problems.length === 0) data.set(table, read.data);
  }
  // These checks need valid tables. A fault is therefore reported only once.
  if (problems.length === 0)
    for (const { table, path, message } of across.flatMap((check) => check((table) => data.get(table) as never)))
      problems.push((sources.get(table) as Source).problemAt(path, message));
  const outputs = [...data].flatMap(([{ output, compile }, value]) =>
    output === undefined ? [] : [{ name: `${output}.rules.json`, text: textOf(compile ? compile(value) : value) }],
  );
  return { outputs, problems };
}

/** JSON with one object of a list per line. The same applies to lists that are members of an object. */
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
