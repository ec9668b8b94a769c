import type { Signal } from './signal.ts';

/** Queries of confirmed signals, and of signals that were confirmed and later retracted. */

export type ConfirmedSignal = Omit<Signal, 'state' | 'confirmedAt'> & { confirmedAt: Date };

/** A span of time. Both ends are inclusive. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Selects the signals with any of these values. Undefined does not filter. */
type AnyOf = readonly string[] | undefined;

/** Undefined members do not filter. */
export interface SignalFilters {
  types?: AnyOf;
  technologies?: AnyOf;
  /** The platform of the store at the time of the confirmation. The same applies to countries and industries. */
  platforms?: AnyOf;
  countries?: AnyOf;
  industries?: AnyOf;
  confidence?: string | undefined;
  /** The `from` of the signal. The same applies to `toValues`. */
  fromValues?: AnyOf;
  toValues?: AnyOf;
  /** The stores of the signals. An empty list selects none. */
  domains?: AnyOf;
  effective: Span;
  confirmed: Span;
  /** `only` selects the signals that were retracted in the span `retracted`. */
  retractions: 'none' | 'with' | 'only';
  retracted: Span;
  /** Selects the signals whose confirmation was recorded until this time. */
  recordedUntil?: Date | undefined;
}

/** A place in an order of signals: the time that orders them, then the id. */
export interface SignalPosition {
  at: Date;
  id: string;
}

/**
 * A position in the ascending order. With `recordedUntil`, the position is among the signals that were recorded until
 * this time, in the order of their confirmation. If undefined, it is among later signals, in the order of their record.
 */
export interface AscendingPosition extends SignalPosition {
  recordedUntil?: Date | undefined;
}

/** The place of a signal in the order of a search, and its store. */
export interface SignalPlace extends SignalPosition {
  domain: string;
}

export interface SignalPage<Position = SignalPosition, Found = ConfirmedSignal> {
  signals: Found[];
  /** The start of the next page. Undefined on the last page. A page with a next one may be short, or even empty. */
  next: Position | undefined;
}
