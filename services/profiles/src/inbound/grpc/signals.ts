import { deriveId } from '@shopscope/ids';
import type { SearchSignalsRequest, SignalFilters, StoreSignal } from '@shopscope/proto';
import type { ConfirmedSignal, SignalPage } from '../../domain/signal-query.ts';
import type { RequestedFilters } from '../../operations/query-signals.ts';

/** Decodes the fields that the requests of GetHistory and SearchSignals have in common. */
export const queryOf = ({ filters, after, limit }: SearchSignalsRequest) => ({
  filters: filtersOf(filters),
  after: after && { at: new Date(after.atMs), id: after.id },
  limit,
});

function filtersOf(sent: SignalFilters | undefined): RequestedFilters {
  const wanted = (text: string | undefined) => text || undefined;
  return {
    type: wanted(sent?.type),
    technology: sent?.technology ?? '',
    kind: sent?.kind ?? '',
    category: sent?.category ?? '',
    platform: wanted(sent?.platform),
    country: wanted(sent?.country),
    industry: wanted(sent?.industry),
    confidence: wanted(sent?.confidence),
    effective: { from: dateOf(sent?.effectiveFromMs), to: dateOf(sent?.effectiveToMs) },
    confirmed: { from: dateOf(sent?.confirmedFromMs), to: dateOf(sent?.confirmedToMs) },
    ...retractionsOf(sent),
  };
}

function retractionsOf(sent: SignalFilters | undefined): Pick<RequestedFilters, 'retractions' | 'retracted'> {
  const retracted = { from: dateOf(sent?.retractedFromMs), to: dateOf(sent?.retractedToMs) };
  if (retracted.from || retracted.to) return { retractions: 'only', retracted };
  return { retractions: sent?.withRetracted ? 'with' : 'none', retracted };
}

const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));

export function encodePage({ signals, next }: SignalPage) {
  return { signals: signals.map(encodeSignal), next: next && { atMs: next.at.getTime(), id: next.id } };
}

function encodeSignal(confirmed: ConfirmedSignal): StoreSignal {
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
