import type { components } from '@shopscope/client';

type HistorySignal = components['schemas']['HistorySignal'];

/** A page of the confirmed changes of a store. */
export interface HistoryPage {
  /** The newest first. */
  signals: readonly HistorySignal[];
  /** The time that the history covers. */
  fromMs: number;
  toMs: number;
  /** The cursor of the page with older changes; null on the last page. */
  next: string | null;
}

export const historyPageOf = ({ data, window, next_cursor }: components['schemas']['History']): HistoryPage => ({
  signals: data,
  fromMs: Date.parse(window.from),
  toMs: Date.parse(window.to),
  next: next_cursor,
});
