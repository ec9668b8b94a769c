import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError, invalidField } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import type { ObservationSummary, SignalFilters, SignalPosition, StoreSignal } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { ChargeRequest } from '../../charging/charge.ts';
import type { ChargeUnits } from '../../charging/charge-units.ts';
import type { RequestBilling } from '../../charging/request-billing.ts';
import type { RequireUnits } from '../../charging/require-units.ts';
import { unitsOf } from '../../charging/units.ts';
import { quoted } from '../../http/input/sanitized-input.ts';
import type { Caller } from '../../keys/caller.ts';
import type { ProfilesClient } from '../../peers/profiles-client.ts';
import type { CursorSigner } from '../cursor.ts';
import { decodePosition, encodePosition, type RequestedSpan, spanOf, windowOf } from './signal-pages.ts';

/**
 * Queries of confirmed and retracted signals. A page with at least one row bills one history_query. An empty page, an unknown domain (404) and
 * HEAD bill nothing.
 *
 * - An empty page is sent only while a history_query is left: see {@link RequireUnits}.
 * - It has no observation, because the time of the latest scan is not free.
 * - HEAD reads no signals, because its duration would tell how many there are.
 */
export interface SignalFilterQuery {
  from?: string | undefined;
  to?: string | undefined;
  type?: string | undefined;
  technology?: string | undefined;
  category?: string | undefined;
  include?: 'retracted' | undefined;
  retracted_from?: string | undefined;
  retracted_to?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

export interface SignalSearchQuery extends SignalFilterQuery {
  kind?: string | undefined;
  platform?: string | undefined;
  country?: string | undefined;
  industry?: string | undefined;
  confidence?: string | undefined;
  confirmed_from?: string | undefined;
  confirmed_to?: string | undefined;
  list_id?: string | undefined;
}

export interface SignalContext {
  /** False for HEAD: nothing is reserved, so an exhausted allowance causes no 402. */
  isBilled: boolean;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
}

/** The body of the response, and the lookup_cached units that are left, as far as the charge tells. */
export interface SignalAnswer {
  body: object;
  remaining: number | undefined;
}

/** A page that is being read. Nothing is billed for it yet. */
export type BegunHistory = Promise<{ body: object; signals: readonly StoreSignal[] }>;

export interface GetStoreHistory {
  /** `input` is as the caller sent it. */
  begin(query: SignalFilterQuery & { input: string }, context: SignalContext): BegunHistory;
  finish(begun: BegunHistory, context: SignalContext): Promise<SignalAnswer>;
}

export type SearchSignals = (query: SignalSearchQuery, context: SignalContext) => Promise<SignalAnswer>;

export interface QuerySignalsOptions {
  profiles: Pick<ProfilesClient, 'getHistory' | 'searchSignals' | 'lookUp'>;
  cursors: CursorSigner;
  chargeUnits: ChargeUnits;
  requireUnits: RequireUnits;
  clock: Pick<Clock, 'now'>;
}

const noFingerprint = Buffer.alloc(0);
const oneQuery = unitsOf({ historyQuery: 1 });

export function createGetStoreHistory(options: QuerySignalsOptions): GetStoreHistory {
  return {
    async begin({ input, ...query }, context) {
      const canonical = canonicalizeDomain(input);
      if (!canonical.ok) throw notADomain(input);
      const { domain } = canonical.value;
      const effective = spanOf(query);
      const opened = { operation: 'history', bound: [domain], effective, reached: effective };
      const page = openPage(options, opened, query, context);
      if (!context.isBilled) {
        const store = await options.profiles.lookUp(domain, context.origin, context.deadline);
        if (!store) throw notInCorpus();
        return { body: {}, signals: [] };
      }
      const { fromMs, toMs, isTruncated } = page.window;
      const filters = { ...page.filters, effectiveFromMs: fromMs };
      const { observation, signals, next } = await options.profiles.getHistory(
        { domain, filters, after: page.after, limit: query.limit },
        context.origin,
        context.deadline,
      );
      if (!observation) throw notInCorpus();
      const body = {
        domain,
        observation: signals.length === 0 ? null : observationObject(observation),
        window: { from: isoOf(fromMs), to: isoOf(toMs), truncated_by_plan: isTruncated },
        data: signals.map(signalObject),
        next_cursor: page.cursorOf(next),
      };
      return { body, signals };
    },
    async finish(begun, context) {
      const { body, signals } = await begun;
      return { body, remaining: await charge(options, 'getStoreHistory', signals, context) };
    },
  };
}

export function createSearchSignals(options: QuerySignalsOptions): SearchSignals {
  return async ({ list_id, ...query }, context) => {
    if (list_id !== undefined) throw invalidField('list_id', 'is for a later release, which serves lists');
    const { kind = '', platform = '', country = '', industry = '', confidence = '' } = query;
    const confirmed = spanOf({ from: query.confirmed_from, to: query.confirmed_to }, 'confirmed_');
    const bound = [kind, platform, country, industry, confidence, textOf(confirmed)];
    const opened = { operation: 'signals', bound, effective: spanOf(query), reached: confirmed };
    const { window, filters, after, cursorOf } = openPage(options, opened, query, context);
    if (!context.isBilled) return { body: {}, remaining: undefined };
    const { signals, next } = await options.profiles.searchSignals(
      {
        filters: {
          ...filters,
          ...{ kind, platform, country, industry, confidence },
          confirmedFromMs: window.fromMs,
          confirmedToMs: confirmed.toMs,
        },
        after,
        limit: query.limit,
      },
      context.origin,
      context.deadline,
    );
    const body = {
      data: signals.map((signal) => ({
        ...signalObject(signal),
        domain: signal.domain,
        storefront_id: signal.storefrontId,
      })),
      next_cursor: cursorOf(next),
    };
    return { body, remaining: await charge(options, 'searchSignals', signals, context) };
  };
}

/** What a page is read by, besides the filters that both operations have. */
interface Opened {
  operation: string;
  /** Further parameters that a cursor belongs to. */
  bound: readonly string[];
  effective: RequestedSpan;
  /** The span of the time that orders the signals. The plan reaches so far back. */
  reached: RequestedSpan;
}

/** The filters that both operations have, and the place of the page. */
function openPage(
  { cursors, clock }: QuerySignalsOptions,
  { operation, bound, effective, reached }: Opened,
  { type = '', technology = '', category = '', include, cursor, ...times }: SignalFilterQuery,
  { caller }: SignalContext,
) {
  const nowMs = clock.now();
  const retracted = spanOf({ from: times.retracted_from, to: times.retracted_to }, 'retracted_');
  const query = [operation, ...bound, textOf(effective), type, technology, category, include ?? '', textOf(retracted)];
  const position = cursor === undefined ? undefined : decodePosition(cursors.verify(query, cursor));
  const { firstAskedMs = nowMs } = position ?? {};
  const filters: SignalFilters = {
    ...{ type, technology, category },
    ...{ kind: '', platform: '', country: '', industry: '', confidence: '' },
    effectiveFromMs: effective.fromMs,
    // Without `to` nothing is later: clocks of services may differ by more than a signal is old.
    effectiveToMs: effective.toMs,
    confirmedFromMs: undefined,
    confirmedToMs: undefined,
    withRetracted: include === 'retracted',
    retractedFromMs: retracted.fromMs,
    retractedToMs: retracted.toMs,
  };
  return {
    window: windowOf(reached, caller.plan.historyDays, { firstAskedMs, nowMs }),
    filters,
    after: position && { atMs: position.atMs, id: position.id },
    cursorOf: (next: SignalPosition | undefined) =>
      next ? cursors.sign(query, encodePosition({ ...next, firstAskedMs })) : null,
  };
}

async function charge(
  { chargeUnits, requireUnits }: QuerySignalsOptions,
  operation: ChargeRequest['operation'],
  signals: readonly StoreSignal[],
  { isBilled, ...context }: SignalContext,
): Promise<number | undefined> {
  if (!isBilled) return undefined;
  const request = { chargeId: newId('chg'), fingerprint: noFingerprint, units: oneQuery, operation, ...context };
  return (await (signals.length === 0 ? requireUnits : chargeUnits)(request)).remaining;
}

const notADomain = (input: string) =>
  invalidField('domain', `must be a hostname or an http(s) URL with a registrable domain, not ${quoted(input)}`);

const notInCorpus = () =>
  new AppError(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  );

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
    ...{ id, type, technology, from: from ?? null, to: to ?? null, confidence },
    effective_at: isoOf(signal.effectiveAtMs),
    confirmed_at: isoOf(signal.confirmedAtMs),
    retracted_at: signal.retractedAtMs === undefined ? null : isoOf(signal.retractedAtMs),
    retracted_reason: signal.retractedReason ?? null,
  };
}
