import type { Signal } from './signal.ts';

/** Queries of confirmed signals, and of those that were confirmed and are retracted. */

export type ConfirmedSignal = Omit<Signal, 'state' | 'confirmedAt'> & { confirmedAt: Date };

/** Both ends are inclusive. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Members that are undefined do not filter. */
export interface SignalFilters {
  type?: string | undefined;
  /** The signals of any of these technologies. */
  technologies?: readonly string[] | undefined;
  /** Of the store, at the time of the confirmation. */
  platform?: string | undefined;
  country?: string | undefined;
  industry?: string | undefined;
  confidence?: string | undefined;
  effective: Span;
  confirmed: Span;
  /** `only`: those that were retracted in the span `retracted`. */
  retractions: 'none' | 'with' | 'only';
  retracted: Span;
}

/** A place in the order of signals: descending time, then descending id. */
export interface SignalPosition {
  at: Date;
  id: string;
}

export interface SignalPage {
  signals: ConfirmedSignal[];
  /** Where the next page begins; undefined on the last page. A page may be short, also empty, and have a next one. */
  next: SignalPosition | undefined;
}
