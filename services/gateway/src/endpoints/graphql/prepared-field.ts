import { maxInputLength } from '@shopscope/domain-name';
import { AppError, invalidField } from '@shopscope/errors';
import { noUnits, type StoreSignal, type Units, unitsOf } from '@shopscope/proto';
import type { SignalPage } from '../signals/query-signals.ts';
import { connectionOf } from './page-sources.ts';
import type { Source } from './source.ts';

/** A field of Query with its arguments. Its units and nodes are counted before anything is read. */
export interface PreparedField {
  /** The inputs of look-ups. */
  inputs: readonly string[];
  /** The inputs of histories. */
  histories: readonly string[];
  jobIds: readonly string[];
  /** The number of pages that bill a history_query if they have a row. */
  billedPages: number;
  nodes: number;
  /** The number of pages, billed or free. */
  pages: number;
  read(source: Source): Promise<ReadField>;
}

export interface ReadField {
  /** The value, with the members of the field's type. */
  value: unknown;
  units: Units;
  /** The number of billed pages without a row. */
  emptyPages: number;
}

export const nothing = { inputs: [], histories: [], jobIds: [], billedPages: 0, nodes: 0, pages: 0 } as const;
export const free = (value: unknown): ReadField => ({ value, units: noUnits, emptyPages: 0 });

/** Prepares the look-ups of stores. Each known store bills one lookup_cached. As in enrich, a repeated store bills each time. */
export function lookUp(inputs: readonly string[], select: (results: readonly object[]) => unknown): PreparedField {
  return {
    ...nothing,
    inputs,
    nodes: inputs.length,
    async read({ stores }) {
      const { resultOf } = await stores;
      const results = inputs.map(resultOf);
      const known = results.filter(({ match }) => match === 'matched' || match === 'stale');
      return { value: select(results), units: unitsOf({ lookupCached: known.length }), emptyPages: 0 };
    },
  };
}

/** Throws for the inputs that enrich refuses, too. */
export function checkInput(field: string, { length }: string): void {
  if (length <= maxInputLength) return;
  const size = length.toLocaleString('en-US');
  throw invalidField(field, `must have at most ${maxInputLength.toLocaleString('en-US')} characters, not ${size}`);
}

/** Prepares a page of signals. Its value is null if the operation answers 404 and `isNullable` is true. */
export function readSignals(
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { read, isNullable }: { read(source: Source): Promise<SignalPage>; isNullable: boolean },
): PreparedField {
  return {
    ...nothing,
    billedPages: 1,
    pages: 1,
    nodes: limit,
    async read(source) {
      const found = await source.inTurn(() => (isNullable ? unlessNotFound(read(source)) : read(source)));
      if (!found) return free(null);
      const { body, signals, cursorOf } = found;
      const { data, next_cursor, ...more } = body;
      const cursorAt = (index: number) => cursorOf(signals[index] as StoreSignal);
      const value = Object.assign(connectionOf({ data, next_cursor, cursorAt }, cursor), more);
      const rows = Math.min(signals.length, 1);
      return { value, units: unitsOf({ historyQuery: rows }), emptyPages: 1 - rows };
    },
  };
}

async function unlessNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
