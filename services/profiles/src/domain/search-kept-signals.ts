import { confirmedSignalOf, type KeptSignal } from './kept-signal.ts';
import type { ConfirmedSignal, SignalFilters, SignalPage, SignalPlace, SignalPosition, Span } from './signal-query.ts';

/** The queries of outbound/mongo/signals.ts over signals in memory. A test compares both. */

interface Bounds {
  after: SignalPosition | undefined;
  limit: number;
}

interface Order {
  timeOf(kept: KeptSignal): Date;
  direction: 1 | -1;
}

const byEffect: Order = { timeOf: ({ signal }) => signal.effectiveAt, direction: -1 };
const byRecord: Order = { timeOf: ({ recordedAt }) => recordedAt, direction: 1 };
const byConfirmation = (direction: 1 | -1): Order => ({ timeOf: ({ signal }) => signal.confirmedAt, direction });

/** Returns signals of one store, newest effectiveAt first. */
export const historyOf = (rows: readonly KeptSignal[], filters: SignalFilters, bounds: Bounds) =>
  wholePage(pageOf(rows, { ...filters, confirmed: {} }, bounds, byEffect));

/** Returns signals by confirmedAt. */
export const searchKept = (
  rows: readonly KeptSignal[],
  filters: SignalFilters,
  bounds: Bounds,
  direction: 1 | -1,
): KeptPage => pageOf(rows, filters, bounds, byConfirmation(direction));

/** Returns signals whose confirmation was recorded until `until`, oldest record first. */
export const recordedKept = (
  rows: readonly KeptSignal[],
  filters: SignalFilters,
  { until, ...bounds }: Bounds & { until: Date },
): KeptPage =>
  pageOf(
    rows.filter(({ recordedAt }) => recordedAt <= until),
    filters,
    bounds,
    byRecord,
  );

export type KeptPage = SignalPage<SignalPosition, KeptSignal & { position: SignalPosition }>;

export const wholePage = ({ signals, next }: KeptPage): SignalPage<SignalPosition, ConfirmedSignal> => ({
  signals: signals.map(confirmedSignalOf),
  next,
});

export const placesPage = ({ signals, next }: KeptPage): SignalPage<SignalPosition, SignalPlace> => ({
  signals: signals.map(({ signal: { domain }, position }) => ({ ...position, domain })),
  next,
});

function pageOf(
  rows: readonly KeptSignal[],
  filters: SignalFilters,
  { after, limit }: Bounds,
  { timeOf, direction }: Order,
): KeptPage {
  const matches = matcherOf(filters);
  /** Negative: the first place comes first. */
  const compare = (a: SignalPosition, b: SignalPosition) =>
    direction * (a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)));
  const found = rows
    .filter(matches)
    .map((row) => ({ ...row, position: { at: timeOf(row), id: row.signal.id } }))
    .filter(({ position }) => !after || compare(after, position) < 0)
    .sort((a, b) => compare(a.position, b.position));
  return { signals: found.slice(0, limit), next: found.length > limit ? found[limit - 1]?.position : undefined };
}

function matcherOf(filters: SignalFilters): (kept: KeptSignal) => boolean {
  const { retractions, confidence, recordedUntil } = filters;
  const lists = [
    listed(filters.domains, ({ signal }) => signal.domain),
    listed(filters.types, ({ signal }) => signal.type),
    listed(filters.technologies, ({ signal }) => signal.technology),
    listed(filters.platforms, ({ values }) => values.platform),
    listed(filters.countries, ({ values }) => values.country),
    listed(filters.industries, ({ values }) => values.industry),
    listed(filters.fromValues, ({ signal }) => signal.from),
    listed(filters.toValues, ({ signal }) => signal.to),
  ].flatMap((each) => each ?? []);
  return (kept) => {
    const { signal, recordedAt } = kept;
    return (
      (retractions === 'with' || (signal.state === 'retracted') === (retractions === 'only')) &&
      (confidence === undefined || signal.confidence === confidence) &&
      (!recordedUntil || recordedAt <= recordedUntil) &&
      isWithin(signal.effectiveAt, filters.effective) &&
      isWithin(signal.confirmedAt, filters.confirmed) &&
      isWithin(signal.retractedAt, filters.retracted) &&
      lists.every((has) => has(kept))
    );
  };
}

function listed(values: readonly string[] | undefined, read: (kept: KeptSignal) => string | null) {
  if (!values) return undefined;
  const wanted: ReadonlySet<string | null> = new Set(values);
  return (kept: KeptSignal) => wanted.has(read(kept));
}

const isWithin = (at: Date | null, { from, to }: Span): boolean =>
  (!from && !to) || (at !== null && (!from || at >= from) && (!to || at <= to));
