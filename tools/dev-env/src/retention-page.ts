import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Rows of a table of docs/retention.md: the name in the first cell, and the other cells. A row may have several names. */
export type RetentionRows = ReadonlyMap<string, readonly string[]>;

/** The table of a section. Throws when a name has two rows. */
export function readRetentionRows(section: 'MongoDB' | 'Kafka' | 'Redis'): RetentionRows {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/retention.md'), 'utf8');
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  const rows = [...text.matchAll(/^\| (`[^|]+`) \|(.*)\|$/gm)].flatMap(([, names = '', cells = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(
      ([, name = '']) => [name, cells.split('|').map((cell) => cell.trim())] as const,
    ),
  );
  const byName = new Map(rows);
  if (byName.size < rows.length) throw new Error(`docs/retention.md: a name in ${section} has two rows`);
  return byName;
}

const units: Record<string, number> = { day: 86_400, hour: 3_600, minute: 60, second: 1 };

/** Returns "30 days after …" in seconds, or undefined if the text has no time. */
export function secondsOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+) (day|hour|minute|second)s?\b/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? Number.NaN);
}
