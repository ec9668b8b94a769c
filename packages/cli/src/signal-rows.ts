import type { components } from '@shopscope/client';
import type { Option } from './command.ts';
import { UsageError } from './exit-codes.ts';

type Signal = components['schemas']['HistorySignal'];

export const filterOptions: Record<string, Option> = {
  type: {
    type: 'string',
    value: 'TYPE',
    help: 'technology_added, technology_removed, install_state_changed, platform_changed or status_changed',
  },
  technology: { type: 'string', value: 'SLUG', help: 'only this technology' },
  category: { type: 'string', value: 'SLUG', help: 'only technologies of this category' },
  'include-retracted': { type: 'boolean', help: 'also changes that a later scan refuted' },
  'retracted-from': { type: 'string', value: 'TIME', help: 'only changes that were retracted from this instant' },
  'retracted-to': { type: 'string', value: 'TIME', help: 'only changes that were retracted up to this instant' },
  limit: { type: 'string', value: 'N', help: 'rows (default 50). Each page of 200 rows costs one history_query' },
};

const maxPage = 200;

/** Rows that are wanted, and rows of a page, from --limit. */
export function limitOf(text: string | undefined): { rows: number; limit: number } {
  const rows = Number(text ?? 50);
  if (!Number.isSafeInteger(rows) || rows < 1) throw new UsageError('--limit must be a whole number from 1.');
  return { rows, limit: Math.min(rows, maxPage) };
}

export const retractionsOf = (options: Readonly<Record<string, string | undefined>>) => ({
  include: options['include-retracted'] && 'retracted',
  retracted_from: options['retracted-from'],
  retracted_to: options['retracted-to'],
});

export const signalHeadings = ['EFFECTIVE', 'CONFIRMED', 'TYPE', 'TECHNOLOGY', 'FROM', 'TO', 'RETRACTED'];
export const signalRow = (signal: Signal): string[] => [
  signal.effective_at.slice(0, 10),
  signal.confirmed_at.slice(0, 10),
  signal.type,
  signal.technology,
  signal.from ?? '–',
  signal.to ?? '–',
  signal.retracted_at?.slice(0, 10) ?? '–',
];

/** The first `rows` items of a list. */
export async function take<T>(list: AsyncIterable<T>, rows: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of list) {
    taken.push(item);
    if (taken.length === rows) break;
  }
  return taken;
}

/** Only what is set. The service refuses empty values. */
export const given = (values: Record<string, string | number | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
