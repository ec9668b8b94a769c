import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { AscendingPosition, SignalFilters, SignalPage, SignalPosition, Span } from '../domain/signal-query.ts';
import { unlistedTechnologies } from '../domain/values.ts';
import type { Dependencies } from './dependencies.ts';
import { getStores } from './get-stores.ts';
import { recordedUntil } from './record-signals.ts';

/** The filters of a caller. Empty lists, empty texts and undefined members do not filter. */
export interface RequestedFilters {
  types: readonly string[];
  technologies: readonly string[];
  /** The kind of the technology in the vocabulary. The same applies to `category`. */
  kind: string;
  category: string;
  platforms: readonly string[];
  countries: readonly string[];
  industries: readonly string[];
  confidence: string;
  fromValues: readonly string[];
  toValues: readonly string[];
  effective: Span;
  confirmed: Span;
  retractions: SignalFilters['retractions'];
  retracted: Span;
}

interface PageRequest {
  filters: RequestedFilters;
  after: SignalPosition | undefined;
  limit: number;
}

/** The member `observation` of the body of a store. */
export interface ObservationSummary {
  coverage_note: string | null;
  last_completed_scan_at: string;
  scope: string;
}

type HistoryDependencies = Pick<Dependencies, 'signals' | 'technologies' | 'metrics'>;
type SearchDependencies = HistoryDependencies & Pick<Dependencies, 'knownValues' | 'openRecords' | 'clock' | 'logger'>;

const maxLimit = 200;
const lastPage: SignalPage = { signals: [], next: undefined };

/** Returns signals of one store, newest `effectiveAt` first, or undefined if the domain is not in the corpus. */
export async function getHistory(
  deps: HistoryDependencies & Parameters<typeof getStores>[0],
  { domain, filters, after, limit }: PageRequest & { domain: string },
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(SignalPage & { observation: ObservationSummary }) | undefined> {
  checkLimit(limit);
  // The body is read first, so that no signal of the observation in the body is missing.
  const [store] = await getStores(deps, [domain], deadline);
  if (!store) return undefined;
  const resolved = resolvedFilters(deps.technologies, historyFilters(deps, filters));
  const bounds = { after, limit, timeoutMs: () => deadline.timeoutMs() };
  const page = resolved ? await deps.signals.history(domain, resolved, bounds) : lastPage;
  count(deps, 'history', page, limit);
  const { observation } = JSON.parse(store.body.toString()) as { observation: ObservationSummary };
  return { ...page, observation };
}

/** Throws `invalid_request` for a value that does not exist. */
export function checkFilters(deps: Pick<Dependencies, 'knownValues'>, { filters }: Pick<PageRequest, 'filters'>): void {
  searchFilters(deps, filters);
}

/** Returns signals of all stores, newest `confirmedAt` first. Throws `invalid_request` for a value that does not exist. */
export async function searchSignals(
  deps: SearchDependencies,
  { filters, after, limit }: PageRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<SignalPage & { hasMore: boolean }> {
  checkLimit(limit);
  const resolved = resolvedFilters(deps.technologies, searchFilters(deps, filters));
  const bounds = { after, limit, timeoutMs: () => deadline.timeoutMs() };
  const page = resolved ? await deps.signals.search(resolved, bounds) : lastPage;
  count(deps, 'search', page, limit);
  return { ...page, hasMore: page.next !== undefined };
}

/**
 * Returns signals of all stores, for a reader who follows them. Each signal that matches when it is read is on one page.
 *
 * 1. The first pages have the signals that were recorded until the first page, by ascending `confirmedAt`.
 * 2. The further pages have those that were recorded later, by the time of their record. A scan may be merged long after it was
 *    completed, so `confirmedAt` says nothing about what a reader has passed.
 *
 * There is always a next position: what is recorded later is behind it (record-signals.ts).
 */
export async function followSignals(
  deps: SearchDependencies,
  { filters, after, limit }: Omit<PageRequest, 'after'> & { after: AscendingPosition | undefined },
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<{ signals: SignalPage['signals']; next: AscendingPosition; hasMore: boolean }> {
  checkLimit(limit);
  const resolved = resolvedFilters(deps.technologies, searchFilters(deps, filters));
  const until = await recordedUntil(deps, deadline.timeoutMs());
  const bounds = { limit, timeoutMs: () => deadline.timeoutMs() };
  if (after && !after.recordedUntil) {
    const page = resolved ? await deps.signals.recorded(resolved, { ...bounds, after, until }) : lastPage;
    count(deps, 'search', page, limit);
    // The time may be earlier than at the page before: another instance has another clock.
    const end = after.at > until ? after : startAfter(until);
    return { ...page, next: page.next ?? end, hasMore: page.next !== undefined };
  }
  const recorded = after?.recordedUntil ?? until;
  const page = resolved
    ? await deps.signals.search({ ...resolved, recordedUntil: recorded }, { ...bounds, after }, 1)
    : lastPage;
  count(deps, 'search', page, limit);
  const next = page.next ? { ...page.next, recordedUntil: recorded } : startAfter(recorded);
  return { ...page, next, hasMore: page.next !== undefined || recorded < until };
}

/** The place before every signal that was recorded after this time. */
const startAfter = (time: Date): AscendingPosition => ({ at: new Date(time.getTime() + 1), id: '' });

/** Counts the pages by their end. Many `cut` pages show that some filters have no selective index. */
function count(
  { metrics }: Pick<Dependencies, 'metrics'>,
  query: 'history' | 'search',
  { signals, next }: SignalPage,
  limit: number,
): void {
  metrics.signalPages.inc({ query, end: !next ? 'last' : signals.length === limit ? 'full' : 'cut' });
}

function checkLimit(limit: number): void {
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
}

type NamedFilters = Omit<SignalFilters, 'recordedUntil'> & Pick<RequestedFilters, 'kind' | 'category'>;

/** Values that do not exist find nothing. */
function historyFilters(
  { technologies }: Pick<Dependencies, 'technologies'>,
  requested: RequestedFilters,
): NamedFilters {
  const listOf = (values: readonly string[]) => (values.length === 0 ? undefined : values);
  const slugs = requested.technologies.map((slug) => technologies.find(slug)?.slug ?? slug);
  return filtersOf(requested, (filter, values) => listOf(filter === 'technology' ? slugs : values));
}

const searchFilters = ({ knownValues }: Pick<Dependencies, 'knownValues'>, requested: RequestedFilters): NamedFilters =>
  filtersOf(requested, knownValues.listOf);

function filtersOf(requested: RequestedFilters, listOf: Dependencies['knownValues']['listOf']): NamedFilters {
  const { kind, category, confidence, effective, confirmed, retractions, retracted } = requested;
  return {
    types: listOf('type', requested.types),
    technologies: listOf('technology', requested.technologies),
    platforms: listOf('platform', requested.platforms),
    countries: listOf('country', requested.countries),
    industries: listOf('industry', requested.industries),
    fromValues: listOf('from_value', requested.fromValues),
    toValues: listOf('to_value', requested.toValues),
    confidence: confidence || undefined,
    kind,
    category,
    effective,
    confirmed,
    retractions,
    retracted,
  };
}

/**
 * Returns the filters with technologies in the place of kind and category, which are data of the vocabulary. Returns undefined if no
 * signal can match: no technology is left, or a span ends before it begins.
 */
function resolvedFilters(
  technologies: Dependencies['technologies'],
  { kind, category, ...filters }: NamedFilters,
): SignalFilters | undefined {
  if ([filters.effective, filters.confirmed, filters.retracted].some(isEmpty)) return undefined;
  const requested = filters.technologies ?? platformsOf(filters);
  if (kind === '' && category === '') return { ...filters, technologies: requested };
  const slugs = [...technologies.slugsOf({ kind, category }), ...unlistedSlugsOf(kind, category)];
  const wanted = requested ? slugs.filter((slug) => requested.includes(slug)) : slugs;
  return wanted.length === 0 ? undefined : { ...filters, technologies: wanted };
}

/** The technology of a changed platform is its new one, so the index of technologies has few other entries. */
const platformsOf = ({ types, toValues }: Pick<SignalFilters, 'types' | 'toValues'>) =>
  types?.length === 1 && types[0] === 'platform_changed' ? toValues : undefined;

const isEmpty = ({ from, to }: Span) => from !== undefined && to !== undefined && from > to;

function unlistedSlugsOf(kind: string, category: string): string[] {
  const isWanted = (each: (typeof unlistedTechnologies)[number]) =>
    (kind === '' || each.kind === kind) && (category === '' || each.category === category);
  return unlistedTechnologies.filter(isWanted).map(({ slug }) => slug);
}
