import type { Signal } from './signal.ts';
import type { ConfirmedSignal } from './signal-query.ts';
import type { StoreChange } from './store-facts.ts';
import type { StoreValues } from './store-profile.ts';

/** A signal that is confirmed, or was confirmed and is retracted, with what searches filter by. */
export interface KeptSignal {
  signal: Signal & { confirmedAt: Date };
  /** The store at the confirmation. */
  values: StoreValues;
  /** When the confirmation was recorded. */
  recordedAt: Date;
}

/** Returns the signals after a merge: those of before, and the ones that it confirmed or retracted. Candidates are left out. */
export function keepSignals(
  before: readonly KeptSignal[],
  merged: readonly Signal[],
  { values, recordedAt }: Pick<KeptSignal, 'values' | 'recordedAt'>,
): KeptSignal[] {
  const kept = new Map(before.map((each) => [each.signal.id, each]));
  for (const signal of merged) {
    const known = kept.get(signal.id);
    if (isConfirmed(signal)) kept.set(signal.id, { values, recordedAt, ...known, signal });
  }
  return [...kept.values()];
}

const isConfirmed = (signal: Signal): signal is KeptSignal['signal'] => signal.confirmedAt !== null;

/** Returns the signal as searches return it. */
export function confirmedSignalOf({ signal: { state: _, ...signal } }: KeptSignal): ConfirmedSignal {
  return signal;
}

/** Returns the confirmed signals of one store, the latest confirmation first: at most `maxPerType` of each type. */
export function latestChanges(kept: readonly KeptSignal[], maxPerType: number): StoreChange[] {
  const confirmed = kept.map(({ signal }) => signal).filter(({ state }) => state === 'confirmed');
  const latestFirst = confirmed.sort((a, b) => b.confirmedAt.getTime() - a.confirmedAt.getTime());
  return [...Map.groupBy(latestFirst, ({ type }) => type).values()].flatMap((ofType) => ofType.slice(0, maxPerType));
}
