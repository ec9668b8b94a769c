import { escaped, escapedJson } from '@shopscope/text';
import { table } from './table.ts';

/** The output of a command: one JSON document or text. Both come from the same encoded resource. */
export interface Output {
  json: unknown;
  text: string;
  /** The command has done its work and found a fault: exit code 1. */
  failed?: boolean;
  /** The command has ended early, because it was told to: exit code 130. */
  interrupted?: boolean;
}

export type Encoded = { readonly [name: string]: unknown };

/** The JSON document of a command for a terminal or a program. */
export const jsonOf = ({ json }: Output): string => `${escapedJson(JSON.stringify(json, null, 2))}\n`;

/** One object as `name  value` lines. Nested members have dotted names. */
export function single(encoded: Encoded): Output {
  return { json: encoded, text: lines(fieldLines(encoded)) };
}

/** Rows of one call of a list. */
export const pageSize = 200;

/** How the list continues after a full page. */
export function nextOf<T>(items: readonly T[], option: string, cursorOf: (last: T) => string) {
  const last = items.at(-1);
  return last && items.length === pageSize ? { cursor: cursorOf(last), option } : undefined;
}

/** A page in the shape of the API: `{data, next_cursor}`. */
export function page(
  items: readonly Encoded[],
  options: { columns: readonly string[]; empty: string; next?: { cursor: string; option: string } | undefined },
): Output {
  const { columns, empty, next } = options;
  const rows = items.length > 0 ? tableOf(items, columns) : [empty];
  const more = next ? ['', `There may be more: add --${next.option} ${escaped(next.cursor)}`] : [];
  return { json: { data: items, next_cursor: next?.cursor ?? null }, text: lines([...rows, ...more]) };
}

export const fieldLines = (encoded: Encoded): string[] => table([...flat(encoded)]);

export function tableOf(items: readonly Encoded[], columns: readonly string[]): string[] {
  const rows = items.map((item) => {
    const fields = new Map(flat(item));
    return columns.map((column) => fields.get(column) ?? '-');
  });
  return table([[...columns], ...rows]);
}

export const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

function* flat(encoded: Encoded, path = ''): Generator<[string, string]> {
  for (const [name, value] of Object.entries(encoded)) {
    if (isObject(value)) yield* flat(value, `${path}${name}.`);
    else yield [`${path}${name}`, shown(value)];
  }
}

const isObject = (value: unknown): value is Encoded =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : '-';
  return value === null || value === undefined || value === '' ? '-' : String(value);
}
