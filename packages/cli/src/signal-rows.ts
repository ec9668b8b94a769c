import type { components } from '@shopscope/client';
import { UsageError } from './exit-codes.ts';

type Signal = components['schemas']['HistorySignal'];

export const filterOptions = {
  '--type <TYPE>': 'technology_added, technology_removed, install_state_changed, platform_changed or status_changed',
  '--technology <SLUG>': 'only this technology',
  '--category <SLUG>': 'only technologies of this category',
  '--include-retracted': 'also changes that a later scan refuted',
  '--retracted-from <TIME>': 'only changes that were retracted from this instant',
  '--retracted-to <TIME>': 'only changes that were retracted up to this instant',
  '--limit <N>': 'rows (default 50). Each page of 200 rows costs one history_query',
};

const maxPage = 200;

/** Rows that are wanted, and rows of a page, from --limit. */
export function limitOf(text: string | undefined): { rows: number; limit: number } {
  const rows = Number(text ?? 50);
  if (!Number.isSafeInteger(rows) || rows < 1) throw new UsageError('--limit must be a whole number from 1.');
  return { rows, limit: Math.min(rows, maxPage) };
}

export const retractionsOf = (options: Readonly<Record<string, string | undefined>>) => ({
  include: options.includeRetracted && 'retracted',
  retracted_from: options.retractedFrom,
  retracted_to: options.retractedTo,
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
