import { chargeOf, createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { dayMs, ManualClock } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import {
  noUnits,
  type ReserveItem,
  ReserveOutcome,
  type StoreSignal,
  type Units,
  type UsageRecorded,
  unitKeys,
  unitNames,
  unitsOf,
  type VoidChargeRequest,
} from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { execute, parse } from 'graphql';
import { expect, it } from 'vitest';
import { type RandomDocument, type RestCall, randomDocument, someDomains } from '../../../test/random-documents.ts';
import type { Caller } from '../../keys/caller.ts';
import { createCursorSigner } from '../cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import { enrichStores } from '../enrich-stores/enrich-stores.ts';
import { createWorkspaceTurns } from '../enrich-stores/workspace-turns.ts';
import { storeExample } from '../get-store/examples.ts';
import { billPage, readHistory, searchPage } from '../signals/query-signals.ts';
import { answerDocument } from './answer-document.ts';
import { pageFields } from './page-fields.ts';
import { planDocument } from './plan-document.ts';
import { rootFields } from './root-fields.ts';
import { schema } from './schema.ts';
import { type DocumentRequest, openSource } from './source.ts';

const { numRuns } = runsOf({ byDay: 100, atNight: 10_000 });

/** The known stores by domain: the age of their scan, and the number of their signals. */
type Corpus = Record<string, { ageDays: number; signals: number }>;
const corpora: fc.Arbitrary<Corpus> = fc.dictionary(
  fc.constantFrom('a.example', 'b.example', 'c.example'),
  fc.record({ ageDays: fc.integer({ min: 0, max: 10 }), signals: fc.integer({ min: 0, max: 4 }) }),
);

const many = { lookupCached: 1e9, lookupLive: 1e9, historyQuery: 1e9, refreshRequested: 1e9 };
const plan = {
  slug: 'growth',
  freshnessDays: 5,
  historyDays: 30,
  rpm: 600,
  concurrency: 10,
  enrichBatchMax: 100,
  included: many,
};
const caller = {
  workspaceId: 'ws_1',
  keyId: 'key_1',
  keyEnvironment: 'live',
  scopes: ['read:stores', 'read:signals'],
  plan,
} as unknown as Caller;

/** The operations over a corpus in memory. `billed` has the units of every usage event. */
function setUp(corpus: Corpus, included: Units = { ...noUnits, ...many }) {
  const clock = new ManualClock();
  const nowMs = clock.now();
  const billed: UsageRecorded['units'][] = [];
  const signalsOf = (domain: string): StoreSignal[] =>
    Array.from({ length: corpus[domain]?.signals ?? 0 }, (_, n) => ({
      id: deriveId('evt', domain, String(n)),
      type: 'technology_added',
      technology: 'klaviyo',
      from: undefined,
      to: 'active',
      confidence: 'high',
      effectiveAtMs: nowMs - n,
      confirmedAtMs: nowMs - n,
      domain,
      storefrontId: deriveId('sf', domain),
      retractedAtMs: undefined,
      retractedReason: undefined,
    }));
  const storeOf = (domain: string) => {
    const known = corpus[domain];
    if (!known) return undefined;
    const body = Buffer.from(JSON.stringify({ ...storeExample, domain }));
    return { body, etag: '"e"', lastCompletedScanAtMs: nowMs - known.ageDays * dayMs };
  };
  const pageOf = (signals: StoreSignal[], limit: number) => {
    const page = signals.slice(0, limit);
    const last = page.at(-1);
    const next = signals.length > limit && last ? { atMs: last.effectiveAtMs, id: last.id } : undefined;
    return { signals: page, next, hasMore: next !== undefined };
  };
  let taken = noUnits;
  const reservations = new Map<string, Units>();
  const takeUnits = (units: Units, sign: 1 | -1) => {
    taken = unitsOf(Object.fromEntries(unitKeys.map((key) => [key, taken[key] + sign * units[key]])));
  };
  const balanceNow = () => ({ periodStartMs: 0, periodEndMs: 1, used: noUnits, reserved: noUnits, taken });
  const deps = {
    clock,
    cursors: createCursorSigner('a secret of a test'),
    turns: createWorkspaceTurns({ clock, replicas: 1 }),
    profiles: {
      lookUpMany: async (domains: readonly string[]) => domains.map(storeOf),
      getHistory: async ({ domain, limit }: { domain: string; limit: number }) => {
        const observation = { scope: 'full', lastCompletedScanAtMs: nowMs, coverageNote: undefined };
        return { observation: corpus[domain] ? observation : undefined, ...pageOf(signalsOf(domain), limit) };
      },
      searchSignals: async ({ limit }: { limit: number }) => pageOf(Object.keys(corpus).flatMap(signalsOf), limit),
    },
    metering: {
      reserve: async ({ chargeId, units = noUnits }: ReserveItem) => {
        const key = unitKeys.find((each) => taken[each] + units[each] > included[each]);
        if (!key) {
          takeUnits(units, 1);
          reservations.set(chargeId, units);
        }
        const outcome = key ? ReserveOutcome.EXHAUSTED : ReserveOutcome.GRANTED;
        const exhaustedUnit = key ? unitNames[key] : '';
        return { outcome, exhaustedUnit, attempt: 1, units: undefined, periodStartMs: 0, balance: balanceNow() };
      },
      async voidCharge({ chargeId }: VoidChargeRequest) {
        takeUnits(reservations.get(chargeId) ?? noUnits, -1);
        reservations.delete(chargeId);
        return { counts: false };
      },
      getBalance: async () => balanceNow(),
    },
    leases: { charge: async () => undefined },
    events: { publishUsage: async ({ units }: UsageRecorded) => void billed.push(units) },
    balances: { put: () => {} },
    onCharge: () => {},
  } as unknown as Dependencies;
  const request = (id: string): DocumentRequest => ({
    caller: { ...caller, plan: { ...plan, included } } as Caller,
    origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
    deadline: createRequestDeadline(clock),
    billing: new RequestBilling(),
    operation: { id },
    isHead: false,
  });
  return { clock, deps, request, billed };
}

const sumOf = (units: readonly UsageRecorded['units'][]) => {
  const total = (unit: 'lookupCached' | 'historyQuery') => units.reduce((sum, each) => sum + (each?.[unit] ?? 0), 0);
  return unitsOf({ lookupCached: total('lookupCached'), historyQuery: total('historyQuery') });
};

/** Sends one call of REST. An unknown domain is 404, which is free. */
async function callRest({ deps, request }: ReturnType<typeof setUp>, call: RestCall): Promise<void> {
  const asked = request(call.kind);
  const charge = { ...chargeOf(asked), chargeId: 'chg_rest', fingerprint: undefined };
  if (call.kind === 'enrich')
    return void (await enrichStores(deps, { ...charge, inputs: call.domains, refresh: false }));
  const query = pageFields[call.kind].query.parse({ limit: String(call.first) }) as never;
  const page =
    call.kind === 'signals'
      ? searchPage(deps, asked, query)
      : readHistory(deps, asked, Object.assign({}, query, { input: call.domain }) as never);
  const found = await page.catch((error: { code?: string }) =>
    error.code === 'not_found' ? undefined : Promise.reject(error),
  );
  if (found) await billPage(deps, asked, found);
}

async function answer({ deps, request }: ReturnType<typeof setUp>, { query, variables }: RandomDocument) {
  const asked = request('graphql');
  const planned = planDocument({ query, variables }, caller);
  const charge = { ...chargeOf(asked), chargeId: 'chg_1', fingerprint: undefined };
  const { body } = await answerDocument(deps, asked, planned, charge);
  return JSON.parse(body.toString()) as {
    data: unknown;
    extensions: { cost: Record<'requested' | 'billed', Record<string, number>> };
  };
}

it('a document bills what the same calls of REST bill, and never more than it says before', async () => {
  await fc.assert(
    fc.asyncProperty(corpora, randomDocument, async (corpus, document) => {
      const [graph, rest] = [setUp(corpus), setUp(corpus)];
      const { cost } = (await answer(graph, document)).extensions;
      for (const call of document.calls) await callRest(rest, call);
      const { lookupCached, historyQuery } = sumOf(rest.billed);
      expect(cost.billed).toEqual({ lookup_cached: lookupCached, history_query: historyQuery });
      expect(sumOf(graph.billed)).toEqual(sumOf(rest.billed));
      expect(graph.billed.length).toBeLessThanOrEqual(1);
      for (const unit of ['lookup_cached', 'history_query'])
        expect(cost.billed[unit]).toBeLessThanOrEqual(cost.requested[unit] as number);
    }),
    { numRuns },
  );
}, 600_000);

const isRefused = (sent: Promise<unknown>): Promise<boolean> =>
  sent.then(
    () => false,
    (error: { code?: string }) => (error.code === 'payment_required' ? true : Promise.reject(error)),
  );

it('a document is refused for its allowance if and only if REST refuses one of its calls, empty pages last', async () => {
  const left = fc.record({ lookupCached: fc.nat(12), historyQuery: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(corpora, randomDocument, left, async (corpus, document, allowance) => {
      const included = unitsOf(allowance);
      const free: RestCall[] = [];
      const paid: RestCall[] = [];
      for (const call of document.calls) {
        const unlimited = setUp(corpus);
        await callRest(unlimited, call);
        (unlimited.billed.length > 0 ? paid : free).push(call);
      }
      const rest = setUp(corpus, included);
      let isRestRefused = false;
      for (const call of [...paid, ...free]) isRestRefused ||= await isRefused(callRest(rest, call));
      const graph = setUp(corpus, included);
      expect(await isRefused(answer(graph, document))).toBe(isRestRefused);
      if (isRestRefused) expect(graph.billed).toEqual([]);
    }),
    { numRuns: numRuns / 2 },
  );
}, 600_000);

it('a document has the data that the reference executor makes of the same values, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(corpora, randomDocument, async (corpus, document) => {
      const { deps, request } = setUp(corpus);
      const source = openSource(deps, request('graphql'), { inputs: someDomains, jobIds: [] });
      const read = (name: string) => async (args: Record<string, unknown>) =>
        (await rootFields[name]?.prepare(args, caller).read(source))?.value;
      const rootValue = { stores: read('stores'), history: read('history'), signals: read('signals') };
      const expected = await execute({
        schema,
        document: parse(document.query),
        variableValues: document.variables,
        rootValue,
      });
      expect(expected.errors).toBeUndefined();
      const { data } = await answer(setUp(corpus), document);
      expect(JSON.stringify(data)).toBe(JSON.stringify(expected.data));
    }),
    { numRuns },
  );
}, 600_000);
