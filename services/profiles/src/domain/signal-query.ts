import type { Signal } from './signal.ts';

/** Queries of confirmed signals, and of signals that were confirmed and later retracted. */

export type ConfirmedSignal = Omit<Signal, 'state' | 'confirmedAt'> & { confirmedAt: Date };

/** A span of time. Both ends are inclusive. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Undefined members do not filter. */
export interface SignalFilters {
  type?: string | undefined;
  /** Selects the signals of any of these technologies. */
  technologies?: readonly string[] | undefined;
  /** The platform of the store at the time of the confirmation. The same applies to country and industry. */
  platform?: string | undefined;
  country?: string | undefined;
  industry?: string | undefined;
  confidence?: string | undefined;
  effective: Span;
  confirmed: Span;
  /** `only` selects the signals that were retracted in the span `retracted`. */
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
  /** The start of the next page. Undefined on the last page. A page with a next one may be short, or even empty. */
  next: SignalPosition | undefined;
}
