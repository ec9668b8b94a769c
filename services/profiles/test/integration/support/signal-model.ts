import type { RequestedFilters } from '../../../src/operations/query-signals.ts';
import type { GeneratedSignal } from './generated-signals.ts';

/** A plain model of the filters. It decides whether a page has a signal. */

type Values = readonly string[];
const hasAny = (values: Values, value: string | null | undefined) =>
  values.length === 0 || values.includes(value ?? '');
const isWithin = (at: Date | null, { from, to }: RequestedFilters['effective']) =>
  at !== null && (!from || at >= from) && (!to || at <= to);

export function matches(signal: GeneratedSignal, query: RequestedFilters): boolean {
  const { state, confirmedAt, retractedAt } = signal;
  const isRetracted = state === 'retracted';
  if (state === 'candidate' || (isRetracted ? query.retractions === 'none' : query.retractions === 'only'))
    return false;
  return (
    (query.domains?.includes(signal.domain) ?? true) &&
    hasAny(query.types, signal.type) &&
    hasAny(query.technologies, signal.technology) &&
    hasAny(query.platforms, signal.platform) &&
    hasAny(query.countries, signal.country) &&
    hasAny(query.industries, signal.industry) &&
    hasAny(query.fromValues, signal.from) &&
    hasAny(query.toValues, signal.to) &&
    hasAny(query.confidence === '' ? [] : [query.confidence], signal.confidence) &&
    isWithin(signal.effectiveAt, query.effective) &&
    isWithin(confirmedAt, query.confirmed) &&
    (query.retractions !== 'only' || isWithin(retractedAt, query.retracted))
  );
}

/** Newest confirmation first, then the larger id. */
export const newestFirst = (a: GeneratedSignal, b: GeneratedSignal) =>
  Number(b.confirmedAt) - Number(a.confirmedAt) || (a._id < b._id ? 1 : -1);
