import type { Handlers } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import type { ProfilesServiceService, SignalFilters, SignalPosition, StoreSignal } from '@shopscope/proto';
import type { ConfirmedSignal, SignalPage } from '../../domain/signal-query.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getHistory, type RequestedFilters, searchSignals } from '../../operations/query-signals.ts';

type ProfilesHandlers = Handlers<typeof ProfilesServiceService>;

export const getHistoryHandler =
  (deps: Dependencies): ProfilesHandlers['getHistory'] =>
  async ({ domain, filters, after, limit }, { deadline }) => {
    const request = { domain, filters: filtersOf(filters), after: positionOf(after), limit };
    const found = await getHistory(deps, request, deadline);
    if (!found) return { observation: undefined, signals: [], next: undefined };
    const { observation } = found;
    const summary = {
      coverageNote: observation.coverage_note ?? undefined,
      lastCompletedScanAtMs: Date.parse(observation.last_completed_scan_at),
      scope: observation.scope,
    };
    return { observation: summary, ...pageOf(found) };
  };

export const searchSignalsHandler =
  (deps: Dependencies): ProfilesHandlers['searchSignals'] =>
  async ({ filters, after, limit }, { deadline }) =>
    pageOf(await searchSignals(deps, { filters: filtersOf(filters), after: positionOf(after), limit }, deadline));

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

const positionOf = (sent: SignalPosition | undefined) => sent && { at: new Date(sent.atMs), id: sent.id };

function pageOf({ signals, next }: SignalPage) {
  return { signals: signals.map(signalOf), next: next && { atMs: next.at.getTime(), id: next.id } };
}

function signalOf(confirmed: ConfirmedSignal): StoreSignal {
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
