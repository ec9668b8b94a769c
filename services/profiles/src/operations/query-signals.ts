import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type {
  AscendingPosition,
  ConfirmedSignal,
  SignalFilters,
  SignalPage,
  SignalPosition,
  Span,
} from '../domain/signal-query.ts';
import { unlistedTechnologies } from '../domain/values.ts';
import type { ReadDependencies } from './dependencies.ts';
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
  /** Undefined does not filter, and an empty list selects no signal. */
  domains?: readonly string[] | undefined;
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

interface FollowRequest extends Omit<PageRequest, 'after'> {
  after: AscendingPosition | undefined;
}

interface SearchPage<Found> extends SignalPage<AscendingPosition, Found> {
  hasMore: boolean;
  /** The `recordedUntil` of the positions of an ascending page, as in {@link AscendingPosition}. */
  recordedUntil?: Date;
}

type HistoryDependencies = Pick<ReadDependencies, 'signals' | 'technologies' | 'metrics'>;
type SearchDependencies = HistoryDependencies &
  Pick<ReadDependencies, 'knownValues' | 'openRecords' | 'clock' | 'logger'>;

const maxLimit = 200;
interface PageKind {
  /** The label of the metric. */
  query: 'history' | 'search' | 'places';
  mostRows: number;
}
const pages: PageKind = { query: 'search', mostRows: maxLimit };
/** The maximum rows of a page of places. It bounds the response, and the number of stores that a caller looks up in one call. */
const placePages: PageKind = { query: 'places', mostRows: 5_000 };
/** The maximum number of stores of a search. A page reads one range of an index for each. */
const maxStores = 5_000;
const emptyPage = <Found>(): SignalPage<AscendingPosition, Found> => ({ signals: [], next: undefined });

/** Returns signals of one store, newest `effectiveAt` first, or undefined if the domain is not in the corpus. */
export async function getHistory(
  deps: HistoryDependencies & Parameters<typeof getStores>[0],
  { domain, filters, after, limit }: PageRequest & { domain: string },
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(SignalPage & { observation: ObservationSummary }) | undefined> {
  checkLimit(limit, maxLimit);
  // The body is read first, so that no signal of the observation in the body is missing.
  const [store] = await getStores(deps, [domain], deadline);
  if (!store) return undefined;
  const resolved = resolvedFilters(deps.technologies, historyFilters(deps, filters));
  const bounds = { after, limit, timeoutMs: () => deadline.timeoutMs() };
  const page = resolved ? await deps.signals.history(domain, resolved, bounds) : emptyPage<ConfirmedSignal>();
  count(deps, 'history', page, limit);
  const { observation } = JSON.parse(store.body.toString()) as { observation: ObservationSummary };
  return { ...page, observation };
}

/** Throws `invalid_request` for a value that does not exist. */
export function checkFilters(
  deps: Pick<ReadDependencies, 'knownValues'>,
  { filters }: Pick<PageRequest, 'filters'>,
): void {
  searchFilters(deps, filters);
}

/** Where a query reads: whole signals, or their places. */
interface Reader<Found> {
  search(...args: Parameters<ReadDependencies['signals']['search']>): Promise<SignalPage<AscendingPosition, Found>>;
  recorded(...args: Parameters<ReadDependencies['signals']['recorded']>): Promise<SignalPage<AscendingPosition, Found>>;
}

export const searchSignals = (deps: SearchDependencies, request: PageRequest, deadline: Pick<Deadline, 'timeoutMs'>) =>
  searchBy(deps.signals, deps, request, deadline, pages);

export const followSignals = (
  deps: SearchDependencies,
  request: FollowRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
) => followBy(deps.signals, deps, request, deadline, pages);

/** Returns the stores of the next signals of a search. The page of places is like the page of signals. */
export const listSignalPlaces = (
  deps: SearchDependencies,
  { isAscending, ...request }: FollowRequest & { isAscending: boolean },
  deadline: Pick<Deadline, 'timeoutMs'>,
) => (isAscending ? followBy : searchBy)(deps.signals.places, deps, request, deadline, placePages);

/** Returns signals by their ids, in the order of the ids. */
export async function getSignals(
  { signals }: Pick<ReadDependencies, 'signals'>,
  ids: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<ConfirmedSignal[]> {
  if (!(ids.length >= 1 && ids.length <= maxLimit)) throw invalidField('ids', `must have 1 to ${maxLimit} entries`);
  const found = new Map((await signals.findAll(ids, deadline.timeoutMs())).map((signal) => [signal.id, signal]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Returns signals, newest `confirmedAt` first. Throws `invalid_request` for a value that does not exist. */
async function searchBy<Found>(
  reader: Reader<Found>,
  deps: SearchDependencies,
  { filters, after, limit }: PageRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
  { query, mostRows }: PageKind,
): Promise<SearchPage<Found>> {
  checkLimit(limit, mostRows);
  const resolved = resolvedFilters(deps.technologies, searchFilters(deps, filters));
  const bounds = { after, limit, timeoutMs: () => deadline.timeoutMs() };
  const page = resolved ? await reader.search(resolved, bounds) : emptyPage<Found>();
  count(deps, query, page, limit);
  return { ...page, hasMore: page.next !== undefined };
}

/**
 * Returns signals, for a reader who follows them. Each signal that matches when it is read is on one page.
 *
 * 1. The first pages have the signals that were recorded until the first page, by ascending `confirmedAt`.
 * 2. The further pages have those that were recorded later, by the time of their record. A scan may be merged long after it was
 *    completed, so `confirmedAt` says nothing about what a reader has passed.
 *
 * There is always a next position: what is recorded later comes after it (record-signals.ts).
 */
async function followBy<Found>(
  reader: Reader<Found>,
  deps: SearchDependencies,
  { filters, after, limit }: FollowRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
  { query, mostRows }: PageKind,
): Promise<SearchPage<Found>> {
  checkLimit(limit, mostRows);
  const resolved = resolvedFilters(deps.technologies, searchFilters(deps, filters));
  const until = await recordedUntil(deps, deadline.timeoutMs());
  const bounds = { limit, timeoutMs: () => deadline.timeoutMs() };
  if (after && !after.recordedUntil) {
    const page = resolved ? await reader.recorded(resolved, { ...bounds, after, until }) : emptyPage<Found>();
    count(deps, query, page, limit);
    // The time may be earlier than at the page before: another instance has another clock.
    const end = after.at > until ? after : startAfter(until);
    return { ...page, next: page.next ?? end, hasMore: page.next !== undefined };
  }
  const recorded = after?.recordedUntil ?? until;
  const page = resolved
    ? await reader.search({ ...resolved, recordedUntil: recorded }, { ...bounds, after }, 1)
    : emptyPage<Found>();
  count(deps, query, page, limit);
  const next = page.next ? { ...page.next, recordedUntil: recorded } : startAfter(recorded);
  return { ...page, next, hasMore: page.next !== undefined || recorded < until, recordedUntil: recorded };
}

/** The place before every signal that was recorded after this time. */
const startAfter = (time: Date): AscendingPosition => ({ at: new Date(time.getTime() + 1), id: '' });

/** Counts the pages by their end. Many `cut` pages show that some filters have no selective index. */
function count(
  { metrics }: Pick<ReadDependencies, 'metrics'>,
  query: PageKind['query'],
  { signals, next }: SignalPage<AscendingPosition, unknown>,
  limit: number,
): void {
  metrics.signalPages.inc({ query, end: !next ? 'last' : signals.length === limit ? 'full' : 'cut' });
}

function checkLimit(limit: number, most: number): void {
  if (!(limit >= 1 && limit <= most)) throw invalidField('limit', `must be from 1 to ${most}`);
}

type NamedFilters = Omit<SignalFilters, 'recordedUntil'> & Pick<RequestedFilters, 'kind' | 'category'>;

/** Values that do not exist find nothing. */
function historyFilters(
  { technologies }: Pick<ReadDependencies, 'technologies'>,
  requested: RequestedFilters,
): NamedFilters {
  const listOf = (values: readonly string[]) => (values.length === 0 ? undefined : values);
  const slugs = requested.technologies.map((slug) => technologies.find(slug)?.slug ?? slug);
  return filtersOf(requested, (filter, values) => listOf(filter === 'technology' ? slugs : values));
}

function searchFilters(
  { knownValues }: Pick<ReadDependencies, 'knownValues'>,
  requested: RequestedFilters,
): NamedFilters {
  if ((requested.domains?.length ?? 0) > maxStores)
    throw invalidField('stores', `must have at most ${maxStores} domains`);
  return filtersOf(requested, knownValues.listOf);
}

function filtersOf(requested: RequestedFilters, listOf: ReadDependencies['knownValues']['listOf']): NamedFilters {
  const { kind, category, confidence, effective, confirmed, retractions, retracted } = requested;
  return {
    types: listOf('type', requested.types),
    technologies: listOf('technology', requested.technologies),
    platforms: listOf('platform', requested.platforms),
    countries: listOf('country', requested.countries),
    industries: listOf('industry', requested.industries),
    fromValues: listOf('from_value', requested.fromValues),
    toValues: listOf('to_value', requested.toValues),
    domains: requested.domains,
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
  technologies: ReadDependencies['technologies'],
  { kind, category, ...filters }: NamedFilters,
): SignalFilters | undefined {
  if ([filters.effective, filters.confirmed, filters.retracted].some(isEmpty)) return undefined;
  const requested = filters.technologies ?? platformsOf(filters);
  if (kind === '' && category === '') return { ...filters, technologies: requested };
  const slugs = [...technologies.slugsOf({ kind, category }), ...unlistedSlugsOf(kind, category)];
  const wanted = requested ? slugs.filter((slug) => requested.includes(slug)) : slugs;
  return wanted.length === 0 ? undefined : { ...filters, technologies: wanted };
}

/** A signal about a changed platform has the new platform as its technology, so the index of technologies finds few other signals. */
const platformsOf = ({ types, toValues }: Pick<SignalFilters, 'types' | 'toValues'>) =>
  types?.length === 1 && types[0] === 'platform_changed' ? toValues : undefined;

const isEmpty = ({ from, to }: Span) => from !== undefined && to !== undefined && from > to;

function unlistedSlugsOf(kind: string, category: string): string[] {
  const isWanted = (each: (typeof unlistedTechnologies)[number]) =>
    (kind === '' || each.kind === kind) && (category === '' || each.category === category);
  return unlistedTechnologies.filter(isWanted).map(({ slug }) => slug);
}
