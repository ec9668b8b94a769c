import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import type { GetHistoryRequest, ProfilesServiceService, SearchSignalsRequest, SignalFilters } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '../support/observed.ts';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

let corpus: Corpus;
let service: RunningService;
let profiles: GrpcClient<typeof ProfilesServiceService>;

const domain = 'changes.example';
const other = 'others.example';
/** Its klaviyo is removed, and seen again by the next observation. */
const flapping = 'flapping.example';
const klaviyo = sighting('klaviyo');
const reviews = sighting('judge-me');
const woocommerce = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' };

beforeAll(async () => {
  corpus = await createCorpus('signal-rpcs');
  service = await corpus.start();
  profiles = corpus.client(service);
  const moved = { platform: woocommerce, geography: { country: 'FR', basis: 'observed' } };
  const events = [
    observed(domain, 1),
    observed(domain, 2, { technologies: [klaviyo] }),
    // klaviyo is absent twice, and the store has moved when this is confirmed.
    observed(domain, 3, moved),
    observed(domain, 4, moved),
    // A candidate, and one that is discarded.
    observed(domain, 5, { ...moved, technologies: [reviews] }),
    observed(domain, 6, moved),
    observed(domain, 7, { ...moved, technologies: [reviews] }),
    observed(domain, 8, moved),
    observed(flapping, 1, { technologies: [klaviyo] }),
    observed(flapping, 2),
    observed(flapping, 3),
    observed(flapping, 4, { technologies: [klaviyo], geography: { country: 'NL', basis: 'observed' } }),
    observed(other, 1),
    observed(other, 6, { technologies: [klaviyo], industry: { slug: 'beauty', basis: 'classified' } }),
    unanswered('silent.example', 1),
  ];
  await corpus.publish(...events);
  await corpus.settled(service);
});
afterAll(() => corpus?.stop());

const none: SignalFilters = {
  types: [],
  technologies: [],
  kind: '',
  category: '',
  platforms: [],
  countries: [],
  industries: [],
  confidence: '',
  fromValues: [],
  toValues: [],
  stores: undefined,
  effectiveFromMs: undefined,
  effectiveToMs: undefined,
  confirmedFromMs: undefined,
  confirmedToMs: undefined,
  withRetracted: false,
  retractedFromMs: undefined,
  retractedToMs: undefined,
};
const history = (over: Partial<GetHistoryRequest> = {}) =>
  profiles.getHistory({ domain, filters: undefined, after: undefined, limit: 50, ...over });
const search = (filters: Partial<SignalFilters> = {}, over: Partial<SearchSignalsRequest> = {}) =>
  profiles.searchSignals({
    filters: { ...none, ...filters },
    after: undefined,
    limit: 50,
    ascending: false,
    onlyCheck: false,
    ...over,
  });

const removal = ['technology_removed', 'klaviyo', day(3).getTime(), day(4).getTime()];
const move = ['platform_changed', 'woocommerce', day(3).getTime(), day(4).getTime()];
const reviewsAdded = ['technology_added', 'judge-me', day(5).getTime(), day(5).getTime()];
const klaviyoAdded = ['technology_added', 'klaviyo', day(2).getTime(), day(2).getTime()];
const ofOther = ['technology_added', 'klaviyo', day(6).getTime(), day(6).getTime()];

const rowsOf = ({ signals }: Pick<Awaited<ReturnType<typeof history>>, 'signals'>) =>
  signals.map(({ type, technology, effectiveAtMs, confirmedAtMs }) => [type, technology, effectiveAtMs, confirmedAtMs]);
const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();

describe('GetHistory', () => {
  it("GetHistory returns the confirmed signals with the ids of the store body, and the body's facts of the observation", async () => {
    const answer = await history();
    expect(sorted(rowsOf(answer))).toEqual(sorted([reviewsAdded, removal, move, klaviyoAdded]));
    expect(answer.signals.map(({ effectiveAtMs }) => effectiveAtMs)).toEqual([5, 3, 3, 2].map((n) => day(n).getTime()));
    const { bodies } = await profiles.getStores({ domains: [domain] });
    const body = JSON.parse(bodies.toString());
    expect(answer.signals.map(({ id }) => id)).toEqual(body.recent_signals.map(({ id }: { id: string }) => id));
    expect(answer.signals[0]).toMatchObject({ domain, storefrontId: body.storefront_id, to: 'active' });
    expect(answer.signals[0]?.from).toBeUndefined();
    expect(answer.observation).toEqual({
      coverageNote: body.observation.coverage_note ?? undefined,
      lastCompletedScanAtMs: day(8).getTime(),
      scope: 'full',
    });
    expect(answer.next).toBeUndefined();
  });

  it('GetHistory returns each signal once when it is read in pages of one', async () => {
    const ids: string[] = [];
    for (let after: GetHistoryRequest['after']; ; ) {
      const { signals, next } = await history({ after, limit: 1 });
      ids.push(...signals.map(({ id }) => id));
      after = next;
      if (!next) break;
    }
    expect(ids).toEqual((await history()).signals.map(({ id }) => id));
  });

  it('GetHistory filters by type, technology, category and effective time, both ends inclusive', async () => {
    const by = async (filters: Partial<SignalFilters>) => rowsOf(await history({ filters: { ...none, ...filters } }));
    expect(await by({ types: ['platform_changed'] })).toEqual([move]);
    expect(await by({ technologies: ['klaviyo'] })).toEqual([removal, klaviyoAdded]);
    expect(await by({ technologies: ['klaviyo'], category: 'reviews' })).toEqual([]);
    expect(sorted(await by({ effectiveFromMs: day(3).getTime(), effectiveToMs: day(3).getTime() }))).toEqual(
      sorted([removal, move]),
    );
  });

  it('GetHistory has no row before the window when the window begins later than at the page before', async () => {
    const [first, second] = (await history()).signals.filter(({ effectiveAtMs }) => effectiveAtMs === day(3).getTime());
    const after = { atMs: day(3).getTime(), id: first?.id ?? '' };
    const pageFrom = async (effectiveFromMs: number) => history({ after, filters: { ...none, effectiveFromMs } });
    expect((await pageFrom(day(3).getTime())).signals.map(({ id }) => id)).toEqual([second?.id]);
    expect(await pageFrom(day(3).getTime() + 1)).toMatchObject({ signals: [], next: undefined });
  });

  it('GetHistory returns no observation for a domain that is not in the corpus, even when its scan has failed', async () => {
    for (const unknown of ['unknown.example', 'silent.example']) {
      expect(await history({ domain: unknown })).toEqual({ observation: undefined, signals: [], next: undefined });
    }
  });

  it.each([0, 201])('GetHistory refuses a limit of %i', async (limit) => {
    await expect(history({ limit })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(search({}, { limit })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('retracted signal', () => {
  const at = day(4).getTime();
  const row = {
    type: 'technology_removed',
    technology: 'klaviyo',
    effectiveAtMs: day(2).getTime(),
    confirmedAtMs: day(3).getTime(),
  };
  const retracted = { ...row, retractedAtMs: at, retractedReason: 'technology_seen_again' };

  it('a retracted signal is in no history, search or recent signals, unless the query includes retracted ones', async () => {
    const ofStore = (over: Partial<SignalFilters> = {}) => history({ domain: flapping, filters: { ...none, ...over } });
    expect((await ofStore()).signals).toEqual([]);
    expect((await search()).signals.map((signal) => signal.domain)).not.toContain(flapping);
    const { bodies } = await profiles.getStores({ domains: [flapping] });
    const body = JSON.parse(bodies.toString());
    expect(body.recent_signals).toEqual([]);
    expect(body.technologies).toMatchObject([{ slug: 'klaviyo', first_observed_at: day(1).toISOString() }]);
    expect((await ofStore({ withRetracted: true })).signals).toMatchObject([retracted]);
    expect((await search({ withRetracted: true })).signals.map(({ id }) => id)).toContain(
      (await ofStore({ withRetracted: true })).signals[0]?.id,
    );
  });

  it('a retracted signal is found by the time of its retraction, even without asking for retracted ones', async () => {
    const found = async (from: number | undefined, to?: number) => {
      const filters = { retractedFromMs: from, retractedToMs: to };
      const ofStore = await history({ domain: flapping, filters: { ...none, ...filters } });
      const ofAll = await search(filters);
      expect(ofAll.signals).toEqual(ofStore.signals);
      return ofAll.signals.length;
    };
    expect(await Promise.all([found(at), found(undefined, at), found(at, at)])).toEqual([1, 1, 1]);
    expect(await Promise.all([found(at + 1), found(undefined, at - 1), found(at + 1, at - 1)])).toEqual([0, 0, 0]);
  });

  it('a retracted signal keeps platform, country and industry of the time of its confirmation', async () => {
    const by = async (filters: Partial<SignalFilters>) =>
      (await search({ withRetracted: true, ...filters })).signals.length;
    expect(await by({ countries: ['DE'], retractedFromMs: at })).toBe(1);
    expect(await by({ countries: ['NL'] })).toBe(0);
  });

  it('a signal is whole in the profile update of the observation that confirms it, and in the one that refutes it', async () => {
    const [first, second] = [3, 4].map((n) => corpus.updates.find(({ scanId }) => scanId === `scan-${flapping}-${n}`));
    expect([first?.retractions, second?.confirmations]).toEqual([[], []]);
    const { signals } = await history({ domain: flapping, filters: { ...none, withRetracted: true } });
    const { domain: _, ...answered } = signals[0] ?? ({} as never);
    const fact = { ...answered, category: 'marketing-automation' };
    expect(second?.retractions).toEqual([fact]);
    const { retractedAtMs: __, retractedReason: ___, ...confirmed } = fact;
    expect(first?.confirmations).toEqual([confirmed]);
  });

  it('a retracted signal is counted by the metric of signals', async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(text).toMatch(/^profiles_signals_total\{(?=.*type="technology_removed")(?=.*state="retracted").*\} 1$/m);
  });
});

describe('SearchSignals', () => {
  it('SearchSignals returns the confirmed signals of all stores, newest confirmation first', async () => {
    const { signals } = await search();
    expect(signals.map(({ confirmedAtMs }) => confirmedAtMs)).toEqual([6, 5, 4, 4, 2].map((n) => day(n).getTime()));
    expect(new Set(signals.map((signal) => signal.domain))).toEqual(new Set([domain, other]));
  });

  it('SearchSignals returns platform, country and industry as they were when the signal was confirmed', async () => {
    expect(sorted(rowsOf(await search({ platforms: ['shopify'] })))).toEqual(sorted([ofOther, klaviyoAdded]));
    expect(sorted(rowsOf(await search({ countries: ['FR'] })))).toEqual(sorted([reviewsAdded, removal, move]));
    expect(rowsOf(await search({ industries: ['beauty'], platforms: ['shopify'] }))).toEqual([ofOther]);
  });

  it('SearchSignals takes kind and category of a technology from the vocabulary', async () => {
    expect(rowsOf(await search({ kind: 'platform' }))).toEqual([move]);
    expect(rowsOf(await search({ category: 'no-such-category' }))).toEqual([]);
    expect(rowsOf(await search({ kind: 'platform', technologies: ['klaviyo'] }))).toEqual([]);
  });
});

describe('ResolveValues', () => {
  const noValues = { technologies: [], platforms: [], countries: [], industries: [], categories: [] };

  it('ResolveValues returns present values once, also those that are not entries of the vocabulary', async () => {
    const resolved = await profiles.resolveValues({
      technologies: ['bizweb', 'klaviyo', 'sapo', 'custom'],
      platforms: ['bizweb', 'shopify'],
      countries: ['DE', 'ZZ', 'DE'],
      industries: ['unclassified'],
      categories: ['analytics'],
    });
    expect(resolved).toEqual({
      technologies: ['sapo', 'klaviyo', 'custom'],
      platforms: ['sapo', 'shopify'],
      countries: ['DE', 'ZZ'],
      industries: ['unclassified'],
      categories: ['analytics'],
    });
    expect(await profiles.resolveValues(noValues)).toEqual(noValues);
  });

  it('ResolveValues refuses the first value that does not exist with its place and near ones, and more than 100', async () => {
    const refused = (values: Partial<typeof noValues | Record<keyof typeof noValues, string[]>>) =>
      expect(profiles.resolveValues({ ...noValues, ...values })).rejects;
    await refused({ technologies: ['klaviyo', 'klavio'] }).toMatchObject({
      code: 'invalid_request',
      publicMessage: expect.stringMatching(
        /^technologies\[1\]: must be a value that exists, not "klavio"; near ones: klaviyo/,
      ),
    });
    await refused({ platforms: ['shopfy'] }).toMatchObject({
      publicMessage: expect.stringMatching(
        /^platforms\[0\]: must be a value that exists, not "shopfy"; near ones: .*shopify/,
      ),
    });
    await refused({ countries: ['DX'] }).toMatchObject({ publicMessage: expect.stringMatching(/^countries\[0\]: /) });
    await refused({ categories: ['analytic'] }).toMatchObject({
      publicMessage: expect.stringMatching(
        /^categories\[0\]: must be a value that exists, not "analytic"; near ones: analytics/,
      ),
    });
    await refused({ industries: ['x'] }).toMatchObject({ publicMessage: expect.stringMatching(/^industries\[0\]: /) });
    await refused({ technologies: Array(101).fill('klaviyo') }).toMatchObject({
      code: 'invalid_request',
      publicMessage: 'technologies: must have at most 100 entries',
    });
  });
});
