import { hourMs } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { deriveId } from '@shopscope/ids';
import { type ObservationCompleted, ObservationOutcome, type ProfileUpdated } from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day } from '../../test/support/observed.ts';
import { observed, sighting, unanswered } from '../../test/support/observed-event.ts';
import type { Signal } from '../domain/signal.ts';
import type { StoreProfile } from '../domain/store-profile.ts';
import { createTechnologyIndex } from '../domain/technology-index.ts';
import { unlistedCategoryOf } from '../domain/values.ts';
import type { SavedSignal } from '../outbound/mongo/signals.ts';
import type { StoreChange } from '../outbound/mongo/stores.ts';
import type { Dependencies } from './dependencies.ts';
import { mergeObservations } from './merge-observations.ts';

/** The history of stores after random observations. The real operation merges them into memory. */

const technologies = createTechnologyIndex(vocabulary, 'https://site.example');

/** A corpus in memory. It keeps what was written to each signal, in order. */
function memoryCorpus() {
  const stores = new Map<string, StoreProfile>();
  const firsts = new Map<string, StoreProfile>();
  const scans = new Set<string>();
  const accepted = new Set<string>();
  const writes: SavedSignal[] = [];
  const updates: ProfileUpdated[] = [];
  const deps = {
    clock: { now: () => day(400).getTime(), monotonicMs: () => 0 },
    openRecords: { open: async () => 'open', close: async () => {} },
    siteUrl: 'https://site.example',
    technologies,
    metrics: new Proxy({}, { get: () => ({ inc: () => {}, startTimer: () => () => {} }) }),
    logger: { warn: () => {} },
    transact: (work: (tx: object) => unknown) => work({}),
    observations: {
      existing: async (ids: string[]) => new Set(ids.filter((id) => scans.has(id))),
      insert: async (recorded: { event: ObservationCompleted }[]) => {
        for (const { event } of recorded) scans.add(event.scanId);
      },
    },
    stores: {
      find: async (domains: string[]) =>
        new Map(
          domains.flatMap((domain) => {
            const profile = stores.get(domain);
            return profile ? [[domain, { profile, etag: '', sequence: profile.sequence }] as const] : [];
          }),
        ),
      write: async (changes: StoreChange[]) => {
        for (const { profile } of changes) stores.set(profile.domain, profile);
      },
    },
    storeBodies: { write: async () => {} },
    optOuts: { covered: async () => new Set() },
    signals: { save: async (saved: SavedSignal[]) => void writes.push(...saved) },
    appendEvents: async (_tx: object, appended: { event: ProfileUpdated }[]) => {
      updates.push(...appended.map(({ event }) => event));
      for (const { event } of appended) if (event.profileSequence === event.sequence) accepted.add(event.scanId);
    },
  } as unknown as Dependencies;
  return {
    /**
     * The scans whose observation changed the profile. Superseded observations and failures before the first
     * observation are not included.
     */
    accepted,
    writes,
    updates,
    stores,
    firsts,
    merge: async (events: readonly ObservationCompleted[]) => {
      await mergeObservations(
        deps,
        events.map((event) => ({ event, origin: { requestId: '', traceparent: '', environment: 'live' } })),
      );
      for (const [domain, profile] of stores) if (!firsts.has(domain)) firsts.set(domain, profile);
    },
    /** The documents of the collection. */
    documents: () => {
      const documents = new Map<string, object>();
      for (const { signal, sequence, values } of writes) {
        documents.set(signal.id, { ...documents.get(signal.id), ...signal, sequence, ...values });
      }
      return documents;
    },
  };
}

const domain = fc.constantFrom('one.example', 'two.example');
const platform = fc.constantFrom('shopify', 'woocommerce', 'custom');
const installed = fc.dictionary(
  fc.constantFrom('klaviyo', 'judge-me', 'gorgias', 'hotjar'),
  fc.constantFrom('active', 'configured'),
  {
    noNullPrototype: true,
  },
);

/**
 * Most visits are alike, so that changes are confirmed and candidates discarded. The clocks of scanners differ by
 * hours.
 */
const visit = fc.record({
  domain,
  lateHours: fc.integer({ min: -30, max: 30 }),
  outcome: fc.constantFrom('observed', 'observed', 'observed', 'observed', 'unreachable', 'refused'),
  scope: fc.constantFrom('full', 'full', 'full', 'partial'),
  state: fc.constantFrom(
    'active_storefront',
    'active_storefront',
    'active_storefront',
    'password_protected',
    'closed',
    'unreachable',
  ),
  platform,
  installed,
  furtherPlatforms: fc.array(platform, { maxLength: 2 }),
  country: fc.constantFrom('DE', 'FR'),
});

function eventOf(seen: typeof visit extends fc.Arbitrary<infer Visit> ? Visit : never, sequence: number) {
  const completedAtMs = day(sequence).getTime() + seen.lateHours * hourMs;
  if (seen.outcome === 'unreachable') return { ...unanswered(seen.domain, sequence), completedAtMs };
  if (seen.outcome === 'refused') {
    return { ...unanswered(seen.domain, sequence), completedAtMs, outcome: ObservationOutcome.REFUSED };
  }
  const sightings = Object.entries(seen.installed).map(([slug, state]) => sighting(slug, state));
  return observed(seen.domain, sequence, {
    completedAtMs,
    scope: seen.scope,
    statusState: seen.state,
    technologies: sightings,
    furtherPlatforms: seen.furtherPlatforms,
    platform: { slug: seen.platform, name: seen.platform, confidence: 'high' },
    geography: { country: seen.country, basis: 'observed' },
  });
}

/**
 * Observations in the order of their sequences, and in the order of their arrival. Some arrive late or repeatedly, in
 * transactions of any size.
 */
const arrival = fc.array(visit, { minLength: 1, maxLength: 40 }).chain((visits) => {
  const events = visits.map((each, at) => eventOf(each, at + 1));
  const disorder = fc.array(
    fc.record({ delay: fc.integer({ min: 0, max: 3 }), copies: fc.integer({ min: 1, max: 2 }) }),
    {
      minLength: events.length,
      maxLength: events.length,
    },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 10 });
  return fc.record({ events: fc.constant(events), disorder, sizes });
});

function batchesOf({ events, disorder, sizes }: typeof arrival extends fc.Arbitrary<infer Arrival> ? Arrival : never) {
  const arriving = events
    .flatMap((event, at) => {
      const { delay, copies } = disorder[at] ?? { delay: 0, copies: 1 };
      return Array.from({ length: copies }, (_, n) => ({ event, place: at + delay + n * 2.5 }));
    })
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
  const batches: ObservationCompleted[][] = [];
  for (let at = 0; arriving.length > at; ) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(arriving.slice(at, at + size));
    at += size;
  }
  return batches;
}

async function mergedInBatches(arriving: Parameters<typeof batchesOf>[0]) {
  const corpus = memoryCorpus();
  for (const batch of batchesOf(arriving)) await corpus.merge(batch);
  return corpus;
}

/** Returns the platform, the status and each technology according to the history. A retraction takes a change back. */
function valuesAfter(first: StoreProfile, changes: readonly Signal[]): Map<string, string | null> {
  const values = valuesOf(first);
  for (const { type, state, technology, from, to } of changes) {
    const thing = type === 'platform_changed' || type === 'status_changed' ? type : technology;
    const [before, after] = state === 'retracted' ? [to, from] : [from, to];
    expect([thing, values.get(thing) ?? null]).toEqual([thing, before]);
    if (after === null) values.delete(thing);
    else values.set(thing, after);
  }
  return values;
}

function valuesOf(profile: StoreProfile): Map<string, string | null> {
  return new Map([
    ['platform_changed', profile.platform.slug],
    ['status_changed', profile.status.state],
    ...profile.technologies.map(({ slug, installState }) => [slug, installState] as const),
  ]);
}

/** `.ci/nightly` tries more histories. */
const runs = runsOf({ byDay: 100, atNight: 400 });

describe('merge history', () => {
  it('a random history equals the history of its accepted observations alone, merged one by one in order of sequence', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const accepted = arriving.events.filter(({ scanId }) => corpus.accepted.has(scanId));
        const alone = memoryCorpus();
        for (const event of accepted) await alone.merge([event]);
        expect(corpus.documents()).toEqual(alone.documents());
        expect(corpus.stores).toEqual(alone.stores);
      }),
      runs,
    );
  });

  it('a random history confirms no signal twice, changes no discarded one, and a confirmed one only by one retraction', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const known = new Map<string, Signal>();
        for (const { signal } of corpus.writes) {
          const before = known.get(signal.id);
          if (signal.state === 'retracted') {
            // In one transaction only the last state is written.
            expect(before?.confirmedAt ?? signal.confirmedAt).toEqual(signal.confirmedAt);
            expect([undefined, 'candidate', 'confirmed']).toContain(before?.state);
          } else expect([undefined, 'candidate']).toContain(before?.state);
          if (before) {
            const { state, confirmedAt, retractedAt, retractedReason, ...same } = signal;
            expect(before).toMatchObject(same);
            expect(state).not.toBe('candidate');
          }
          known.set(signal.id, signal);
        }
      }),
      runs,
    );
  });

  it('a random history has no signal that is confirmed before it is effective, and only times of observations', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const times = new Set(arriving.events.map(({ completedAtMs }) => completedAtMs));
        for (const { signal } of corpus.writes) {
          expect(times).toContain(signal.effectiveAt.getTime());
          expect(signal.confirmedAt !== null).toBe(signal.state === 'confirmed' || signal.state === 'retracted');
          expect(signal.retractedAt !== null).toBe(signal.state === 'retracted');
          if (!signal.confirmedAt) continue;
          if (signal.retractedAt) expect(times).toContain(signal.retractedAt.getTime());
          expect(times).toContain(signal.confirmedAt.getTime());
          expect(signal.confirmedAt.getTime()).toBeGreaterThanOrEqual(signal.effectiveAt.getTime());
        }
      }),
      runs,
    );
  });

  it('a random history publishes each confirmed signal once, with the observation that confirms it, and each retracted one once', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const documents = [...corpus.documents().values()] as Signal[];
        const factOf = ({ id, domain, type, technology, confidence, ...signal }: Signal) => ({
          id,
          type,
          technology,
          from: signal.from ?? undefined,
          to: signal.to ?? undefined,
          confidence,
          effectiveAtMs: signal.effectiveAt.getTime(),
          confirmedAtMs: signal.confirmedAt?.getTime(),
          storefrontId: deriveId('sf', domain),
          category: technologies.find(technology)?.category ?? unlistedCategoryOf(technology),
        });
        const byId = <T extends { id: string }>(facts: T[]) => facts.sort((a, b) => (a.id < b.id ? -1 : 1));
        const confirmed = documents.filter(({ confirmedAt }) => confirmedAt !== null).map(factOf);
        expect(byId(corpus.updates.flatMap(({ confirmations }) => confirmations))).toEqual(byId(confirmed));
        const retracted = documents
          .filter(({ state }) => state === 'retracted')
          .map((signal) => ({
            ...factOf(signal),
            retractedAtMs: signal.retractedAt?.getTime(),
            retractedReason: signal.retractedReason,
          }));
        expect(byId(corpus.updates.flatMap(({ retractions }) => retractions))).toEqual(byId(retracted));
      }),
      runs,
    );
  });

  it('a random history explains the profile: the first one, its signals and its retractions in order give the last one', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = memoryCorpus();
        for (const event of arriving.events) await corpus.merge([event]);
        for (const [store, profile] of corpus.stores) {
          const confirmed = corpus.writes
            .map(({ signal }) => signal)
            .filter((s) => s.domain === store && (s.state === 'confirmed' || s.state === 'retracted'));
          expect(valuesAfter(corpus.firsts.get(store) as StoreProfile, confirmed)).toEqual(valuesOf(profile));
        }
      }),
      runs,
    );
  });

  it('a random history forgets no candidate: those neither confirmed nor discarded are those that the profile has', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const last = new Map(corpus.writes.map(({ signal }) => [signal.id, signal]));
        const open = [...last.values()].filter(({ state }) => state === 'candidate').map(({ id }) => id);
        const ofProfiles = [...corpus.stores.values()].flatMap(({ candidates }) => candidates.map(({ id }) => id));
        expect(open.sort()).toEqual(ofProfiles.sort());
      }),
      runs,
    );
  });

  it('a random history has no recent signal that is retracted, and lists nothing as removed twice', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const states = new Map(corpus.writes.map(({ signal }) => [signal.id, signal.state]));
        for (const { recentSignals, retractable, technologies } of corpus.stores.values()) {
          expect(recentSignals.every(({ id }) => states.get(id) === 'confirmed')).toBe(true);
          expect(retractable.every(({ signal }) => states.get(signal.id) === 'confirmed')).toBe(true);
          expect(new Set(technologies.map(({ slug }) => slug)).size).toBe(technologies.length);
        }
      }),
      runs,
    );
  });

  it('a random history confirms nothing that needs agreement within six hours of its first observation', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = await mergedInBatches(arriving);
        const began = new Set<string>();
        for (const { signal } of corpus.writes) {
          if (signal.state === 'candidate') began.add(signal.id);
          if (signal.state !== 'confirmed' || !began.has(signal.id)) continue;
          expect(Number(signal.confirmedAt) - Number(signal.effectiveAt)).toBeGreaterThanOrEqual(6 * hourMs);
        }
      }),
      runs,
    );
  });

  it('a random history keeps with each confirmed signal the store as the confirming observation left it', async () => {
    await fc.assert(
      fc.asyncProperty(arrival, async (arriving) => {
        const corpus = memoryCorpus();
        for (const event of arriving.events) {
          const from = corpus.writes.length;
          await corpus.merge([event]);
          const profile = corpus.stores.get(event.domain);
          for (const { signal, values } of corpus.writes.slice(from)) {
            const { platform: shown, geography, industry } = profile as StoreProfile;
            const store = { platform: shown.slug, country: geography.country, industry: industry.slug };
            expect(values).toEqual(signal.state === 'confirmed' ? store : undefined);
          }
        }
      }),
      runs,
    );
  });
});
