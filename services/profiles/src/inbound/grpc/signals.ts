import { deriveId } from '@shopscope/ids';
import { type SearchSignalsRequest, SignalFilters, type StoreSignal } from '@shopscope/proto';
import type { AscendingPosition, ConfirmedSignal, SignalPage, SignalPlace } from '../../domain/signal-query.ts';
import type { RequestedFilters } from '../../operations/query-signals.ts';

/** Decodes the fields that the requests of GetHistory and SearchSignals have in common. */
export const queryOf = ({ filters, after, limit }: Pick<SearchSignalsRequest, 'filters' | 'after' | 'limit'>) => ({
  filters: filtersOf(filters ?? SignalFilters.fromPartial({})),
  after: after && { at: new Date(after.atMs), id: after.id, recordedUntil: dateOf(after.recordedUntilMs) },
  limit,
});

function filtersOf(sent: SignalFilters): RequestedFilters {
  const { types, technologies, kind, category, platforms, countries, industries, confidence } = sent;
  return {
    types,
    technologies,
    kind,
    category,
    platforms,
    countries,
    industries,
    confidence,
    fromValues: sent.fromValues,
    toValues: sent.toValues,
    domains: sent.stores?.domains,
    effective: { from: dateOf(sent.effectiveFromMs), to: dateOf(sent.effectiveToMs) },
    confirmed: { from: dateOf(sent.confirmedFromMs), to: dateOf(sent.confirmedToMs) },
    ...retractionsOf(sent),
  };
}

function retractionsOf(sent: SignalFilters): Pick<RequestedFilters, 'retractions' | 'retracted'> {
  const retracted = { from: dateOf(sent.retractedFromMs), to: dateOf(sent.retractedToMs) };
  if (retracted.from || retracted.to) return { retractions: 'only', retracted };
  return { retractions: sent.withRetracted ? 'with' : 'none', retracted };
}

const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));

export function encodePage({ signals, next }: SignalPage<AscendingPosition>) {
  return { signals: signals.map(encodeSignal), next: next && encodePosition(next) };
}

type PlacePage = SignalPage<AscendingPosition, SignalPlace> & { hasMore: boolean; recordedUntil?: Date };

export const encodePlaces = ({ signals, next, hasMore, recordedUntil }: PlacePage) => ({
  places: signals.map(({ domain, at, id }) => ({ domain, atMs: at.getTime(), id })),
  next: next && encodePosition(next),
  hasMore,
  recordedUntilMs: recordedUntil?.getTime(),
});

const encodePosition = ({ at, id, recordedUntil }: AscendingPosition) => ({
  atMs: at.getTime(),
  id,
  recordedUntilMs: recordedUntil?.getTime(),
});

export function encodeSignal(confirmed: ConfirmedSignal): StoreSignal {
  const { effectiveAt, confirmedAt, retractedAt, retractedReason, from, to, ...signal } = confirmed;
  return {
    ...signal,
    from: from ?? undefined,
    to: to ?? undefined,
    effectiveAtMs: effectiveAt.getTime(),
    confirmedAtMs: confirmedAt.getTime(),
    storefrontId: deriveId('sf', signal.domain),
    retractedAtMs: retractedAt?.getTime(),
    retractedReason: retractedReason ?? undefined,
  };
}
