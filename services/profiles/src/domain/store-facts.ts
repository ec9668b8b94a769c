import type { ConfirmedSignal } from './signal-query.ts';

/** A confirmed signal of a store, without what documents of search do not need. */
export type StoreChange = Pick<
  ConfirmedSignal,
  'id' | 'type' | 'technology' | 'from' | 'to' | 'effectiveAt' | 'confirmedAt'
>;

/** What a document of search is made of. */
export interface StoreFacts {
  domain: string;
  /** The sequence of the profile when the body was written. */
  sequence: number;
  body: Buffer;
  firstScanAt: Date;
  /** Confirmed changes, the latest confirmation of each type first. At most {@link maxChangesPerType} of a type. */
  changes: readonly StoreChange[];
}

/** A profile has at most 500 technologies, so this many removals are of most of its history. */
export const maxChangesPerType = 500;
