import { type ChargeDependencies, chargeOf, chargeUnits, noFingerprint, requireUnits } from '@shopscope/charging';
import { invalidField } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import {
  type ObservationSummary,
  type SignalFilters,
  type SignalPosition,
  type StoreSignal,
  unitsOf,
} from '@shopscope/proto';
import type { z } from 'zod';
import type { BillableRequest } from '../../keys/caller.ts';
import { canonicalDomain, notInCorpus, requireKnowableDomain } from '../canonical-domain.ts';
import type { Dependencies } from '../dependencies.ts';
import type { historyQuery, signalQuery } from './contract.ts';
import { reachedDaysOf } from './reached-days.ts';
import { type ListSearchDependencies, searchInList } from './search-in-list.ts';
import { decodePosition, encodePosition, type RequestedSpan, spanOf, windowOf } from './signal-pages.ts';

type HistoryQuery = z.output<typeof historyQuery>;

/** The request of a caller. HEAD is not billed: nothing is reserved, so an exhausted allowance causes no 402. */
type SignalRequest = BillableRequest & { isHead: boolean };

type SignalDependencies = Pick<Dependencies, 'cursors'> & {
  profiles: Pick<Dependencies['profiles'], 'getHistory' | 'lookUp'>;
  clock: Pick<Dependencies['clock'], 'now'>;
};

/** The body of a page that has not been billed yet. */
export interface SignalPage {
  body: SignalPageBody;
  signals: readonly StoreSignal[];
  /** Returns the cursor that continues after a signal of the page. Not for an ascending page, whose order its signals do not show. */
  cursorOf(signal: StoreSignal): string;
}

interface SignalPageBody {
  data: readonly object[];
  next_cursor: string | null;
}

const oneQuery = unitsOf({ historyQuery: 1 });

/**
 * Queries of confirmed and retracted signals. A page with at least one row bills one history_query. An empty page, an unknown domain
 * (404) and HEAD bill nothing.
 *
 * - An empty page is sent only if a history_query is left: see require-units.ts.
 * - An empty page has no observation, because the time of the latest scan is not free.
 * - HEAD reads no signals, because its duration would reveal how many there are. profiles only checks the values.
 *
 * `input` is the text that the caller sent.
 */
export async function readHistory(
  deps: SignalDependencies,
  request: SignalRequest,
  { input, type, technology, ...query }: HistoryQuery & { input: string },
): Promise<SignalPage> {
  const domain = canonicalDomain(input);
  const effective = spanOf(query);
  const opened = { operation: 'history', bound: [domain, type ?? '', technology ?? ''], effective, reached: effective };
  const page = openPage(deps, opened, query, request);
  requireKnowableDomain(request.caller.keyEnvironment, domain);
  if (request.isHead) {
    const store = await deps.profiles.lookUp(domain, request.origin, request.deadline, request.caller.workspaceId);
    if (!store) throw notInCorpus();
    return noPage;
  }
  const { fromMs, toMs, isTruncated } = page.window;
  const lists = { types: type ? [type] : [], technologies: technology ? [technology] : [] };
  const filters = { ...page.filters, ...lists, effectiveFromMs: fromMs };
  const { observation, signals, next } = await deps.profiles.getHistory(
    { domain, filters, after: page.after, limit: query.limit, workspaceId: request.caller.workspaceId },
    request.origin,
    request.deadline,
  );
  if (!observation) throw notInCorpus();
  const body = {
    domain,
    observation: signals.length === 0 ? null : observationObject(observation),
    window: { from: isoOf(fromMs), to: isoOf(toMs), truncated_by_plan: isTruncated },
    data: signals.map(signalObject),
    next_cursor: page.cursorOf(next),
  };
  return { body, signals, cursorOf: ({ effectiveAtMs, id }) => page.rowCursor(effectiveAtMs, id) };
}

export async function searchPage(
  deps: SignalDependencies & ListSearchDependencies & Pick<Dependencies, 'subscriptions'>,
  request: SignalRequest,
  { type, technology, order = 'desc', ...query }: z.output<typeof signalQuery>,
): Promise<SignalPage> {
  checkOrder(order, query);
  const { kind = '', platform, country, industry, confidence = '', from_value, to_value, list_id = '' } = query;
  const confirmed = spanOf({ from: query.confirmed_from, to: query.confirmed_to }, 'confirmed_');
  const named = [technology, platform, country, industry, from_value, to_value];
  const bound = [order, list_id, kind, confidence, textOf(confirmed), ...[type, ...named].map(boundText)];
  const opened = { operation: 'signals', bound, effective: spanOf(query), reached: confirmed };
  const { window, filters, after, cursorOf, rowCursor } = openPage(deps, opened, query, request);
  const { workspaceId } = request.caller;
  if (request.isHead && list_id) await deps.subscriptions.getList({ workspaceId, listId: list_id }, request);
  if (request.isHead && named.every(({ length }) => length === 0)) return noPage;
  const search = {
    filters: {
      ...filters,
      types: type,
      technologies: technology,
      kind,
      platforms: platform,
      countries: country,
      industries: industry,
      confidence,
      fromValues: from_value,
      toValues: to_value,
      confirmedFromMs: window.fromMs,
      confirmedToMs: confirmed.toMs,
    },
    after,
    limit: query.limit,
    ascending: order === 'asc',
    onlyCheck: request.isHead,
    workspaceId,
  };
  const { signals, next, hasMore } =
    list_id && !request.isHead
      ? await searchInList(deps, request, { workspaceId, listId: list_id }, search)
      : await deps.profiles.searchSignals(search, request.origin, request.deadline);
  const body = {
    data: signals.map((signal) => ({
      ...signalObject(signal),
      domain: signal.domain,
      storefront_id: signal.storefrontId,
    })),
    next_cursor: cursorOf(next),
    has_more: hasMore,
  };
  return { body, signals, cursorOf: ({ confirmedAtMs, id }) => rowCursor(confirmedAtMs, id) };
}

/**
 * An ascending search has no last page, so it needs `confirmed_from`. It follows the times of confirmation. A span of retractions is refused,
 * because a signal that is retracted after the search has passed its place would be missing.
 */
function checkOrder(
  order: 'asc' | 'desc',
  { confirmed_from, retracted_from, retracted_to }: Partial<z.output<typeof signalQuery>>,
): void {
  if (order === 'desc') return;
  if (confirmed_from === undefined) throw invalidField('confirmed_from', 'is required with order=asc');
  if (retracted_from === undefined && retracted_to === undefined) return;
  throw invalidField('order', 'must be desc with retracted_from or retracted_to');
}

/** The page of HEAD, whose body is not sent. */
const noPage: SignalPage = { body: { data: [], next_cursor: null }, signals: [], cursorOf: () => '' };

/** The order of the values does not change the query. */
const boundText = (values: readonly string[]) => values.toSorted().join();

/** Bills a page with a row, and requires the units for an empty page. `remaining` is the number of lookup_cached units that are left, if it is known. */
export async function billPage(
  deps: ChargeDependencies,
  request: SignalRequest,
  page: SignalPage,
): Promise<SignalPage & { remaining: number | undefined }> {
  if (request.isHead) return { ...page, remaining: undefined };
  const charge = { ...chargeOf(request), chargeId: newId('chg'), fingerprint: noFingerprint, units: oneQuery };
  const { remaining } = await (page.signals.length === 0 ? requireUnits : chargeUnits)(deps, charge);
  return { ...page, remaining };
}

/** The values by which a page is read, besides the filters that both operations have. */
interface Opened {
  operation: string;
  /** Further parameters that a cursor is bound to. */
  bound: readonly string[];
  effective: RequestedSpan;
  /** The span of the time that orders the signals. It does not begin before the reach of the plan. */
  reached: RequestedSpan;
}

/** Reads the filters that both operations have, and the position of the page. */
function openPage(
  { cursors, clock }: SignalDependencies,
  { operation, bound, effective, reached }: Opened,
  { category = '', include, cursor, ...times }: Omit<HistoryQuery, 'type' | 'technology'>,
  { caller }: SignalRequest,
) {
  const nowMs = clock.now();
  const retracted = spanOf({ from: times.retracted_from, to: times.retracted_to }, 'retracted_');
  const { keyEnvironment, workspaceId } = caller;
  const filtered = [...bound, textOf(effective), category, include ?? '', textOf(retracted)];
  const query = [operation, keyEnvironment, workspaceId, ...filtered];
  const position = cursor === undefined ? undefined : decodePosition(cursors.verify(query, cursor));
  const { firstAskedMs = nowMs } = position ?? {};
  const filters: SignalFilters = {
    types: [],
    technologies: [],
    category,
    kind: '',
    platforms: [],
    countries: [],
    industries: [],
    confidence: '',
    fromValues: [],
    toValues: [],
    effectiveFromMs: effective.fromMs,
    // Without `to` there is no upper limit: the clocks of services may differ by more than the age of a signal.
    effectiveToMs: effective.toMs,
    confirmedFromMs: undefined,
    confirmedToMs: undefined,
    withRetracted: include === 'retracted',
    retractedFromMs: retracted.fromMs,
    retractedToMs: retracted.toMs,
    stores: undefined,
  };
  const sign = (next: SignalPosition) => cursors.sign(query, encodePosition({ ...next, firstAskedMs }));
  return {
    window: windowOf(reached, reachedDaysOf(caller), { firstAskedMs, nowMs }),
    filters,
    after: position && { atMs: position.atMs, id: position.id, recordedUntilMs: position.recordedUntilMs },
    cursorOf: (next: SignalPosition | undefined) => (next ? sign(next) : null),
    rowCursor: (atMs: number, id: string) => sign({ atMs, id, recordedUntilMs: undefined }),
  };
}

const isoOf = (ms: number) => new Date(ms).toISOString();
const textOf = ({ fromMs, toMs }: RequestedSpan) => `${fromMs ?? ''}-${toMs ?? ''}`;

function observationObject({ coverageNote, lastCompletedScanAtMs, scope }: ObservationSummary) {
  return {
    coverage_note: coverageNote ?? null,
    last_completed_scan_at: isoOf(lastCompletedScanAtMs),
    scope,
  };
}

function signalObject({ id, type, technology, from, to, confidence, ...signal }: StoreSignal) {
  return {
    id,
    type,
    technology,
    from: from ?? null,
    to: to ?? null,
    confidence,
    effective_at: isoOf(signal.effectiveAtMs),
    confirmed_at: isoOf(signal.confirmedAtMs),
    retracted_at: signal.retractedAtMs === undefined ? null : isoOf(signal.retractedAtMs),
    retracted_reason: signal.retractedReason ?? null,
  };
}
