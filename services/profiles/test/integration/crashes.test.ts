import { systemClock } from '@shopscope/clock';
import { connectMongo, createTransact, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { MergeOutcome, type ObservationCompleted, profileUpdated } from '@shopscope/proto';
import { mongoOptions } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownValues } from '../../src/domain/known-values.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { mergeObservations } from '../../src/operations/merge-observations.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createDomainRanges } from '../../src/outbound/mongo/domain-ranges.ts';
import { createObservationStore } from '../../src/outbound/mongo/observations.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { createOptOutStore } from '../../src/outbound/mongo/opt-outs.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createStoreBodies } from '../../src/outbound/mongo/store-bodies.ts';
import { createProfileStore } from '../../src/outbound/mongo/stores.ts';
import { day } from '../support/observed.ts';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus, siteUrl } from './support/corpus.ts';

/** A committed merge without a relay: the state after a process was killed between commit and publishing. */
let corpus: Corpus;
let deps: Dependencies;
let disconnect: () => Promise<void>;
const origin = { requestId: 'req_crash', traceparent: '', environment: 'live' as const };

beforeAll(async () => {
  corpus = await createCorpus('profiles-crash');
  const options = mongoOptions(corpus.namespace, 'profiles');
  const mongo = await connectMongo(options);
  disconnect = mongo.close;
  await ensureCollections(mongo.db, collections);
  const outbox = createOutbox(mongo.db);
  const technologies = createTechnologyIndex([], siteUrl);
  deps = {
    clock: systemClock,
    siteUrl,
    environment: 'test',
    verifyPermit: async () => ({ fault: 'malformed' }),
    technologies,
    knownValues: createKnownValues(technologies),
    openRecords: createOpenRecordStore(mongo.db, 'live'),
    corpusCount: () => undefined,
    domains: createDomainRanges(mongo.db),
    stores: createProfileStore(mongo.db),
    storeBodies: createStoreBodies(mongo.db),
    observations: createObservationStore(mongo.db, 1_825),
    signals: createSignalStore(mongo.db, 1_825),
    optOuts: createOptOutStore(mongo.db),
    metrics: createMetrics(options.registry),
    logger: options.logger,
    transact: createTransact(mongo),
    appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated.live, updates),
  };
});
afterAll(async () => {
  await disconnect?.();
  await corpus?.stop();
});

/** The result of one observation. */
const merge = async (by: Dependencies, event: ObservationCompleted, from: typeof origin) =>
  (await mergeObservations(by, [{ event, origin: from }]))[0]?.result;

const counts = async (domain: string) => ({
  stores: await corpus.db.collection('stores').countDocuments({ _id: domain as never }),
  bodies: await corpus.db.collection('store_bodies').countDocuments({ _id: domain as never }),
  observations: await corpus.db.collection('observations').countDocuments({ domain }),
  signals: await corpus.db.collection('signals').countDocuments({ domain }),
  outbox: await corpus.db.collection('outbox').countDocuments({ key: domain }),
});

describe('merge', () => {
  it.each(['its last step', 'its commit'])(
    'a merge changes nothing when it fails at %s, and its retry is complete',
    async (at) => {
      const domain = `${at.replaceAll(' ', '-')}.example`;
      const end = () => Promise.reject(new Error('the process ended here'));
      const dying: Dependencies =
        at === 'its commit'
          ? { ...deps, transact: (work) => deps.transact(async (tx) => work(tx).then(end)) }
          : { ...deps, appendEvents: end };
      const signalled = observed(domain, 2, { technologies: [sighting('custom-theme')] });
      const last = { ...(await counts(domain)), observations: 1, stores: 1, bodies: 1, outbox: 1 };

      await merge(deps, observed(domain, 1), origin);
      await expect(merge(dying, signalled, origin)).rejects.toThrow('the process ended here');
      expect(await counts(domain)).toEqual(last);
      expect((await deps.storeBodies.find([domain], 5_000)).get(domain)?.lastCompletedScanAt).toEqual(day(1));
      expect(await merge(deps, signalled, origin)).toBe('merged');
      expect(await counts(domain)).toEqual({ stores: 1, bodies: 1, observations: 2, signals: 1, outbox: 2 });
    },
  );

  it('a merge of many observations in one transaction has the result of one merge after the other', async () => {
    const app = sighting('custom-theme');
    const history = (domain: string) => [
      observed(domain, 2, { technologies: [app] }),
      observed(domain, 3),
      observed(domain, 1, { name: 'Late' }),
      observed(domain, 4),
      unanswered(domain, 5),
      observed(domain, 6, { technologies: [app], name: 'Renamed' }),
      unanswered(domain, 7),
      observed(domain, 3),
    ];
    const [alone, together] = ['alone.example', 'together.example'];
    const results = [];
    for (const event of history(alone)) results.push(...(await mergeObservations(deps, [{ event, origin }])));
    const others = ['first.example', 'last.example'].map((domain) => observed(domain, 1));
    const batch = [others[0], ...history(together), others[1]].filter((event) => event !== undefined);
    const merged = await mergeObservations(
      deps,
      batch.map((event) => ({ event, origin })),
    );
    expect(merged.slice(1, -1)).toEqual(results);

    // The transactions run at different times.
    const withoutRecordTime = (documents: object[]) => documents.map((each) => ({ ...each, recordedAt: undefined }));
    const contentOf = async (domain: string) => {
      const read = (name: string, filter: object, sort: object) =>
        corpus.db
          .collection(name)
          .find(filter)
          .sort(sort as never)
          .toArray();
      const [stores, bodies, observations, signals, updates] = await Promise.all([
        read('stores', { _id: domain }, {}),
        read('store_bodies', { _id: domain }, {}),
        read('observations', { domain }, { sequence: 1 }),
        read('signals', { domain }, { sequence: 1, type: 1, technology: 1 }).then(withoutRecordTime),
        read('outbox', { key: domain }, { sequence: 1 }),
      ]);
      const events = updates.map(({ value }) => profileUpdated.live.decode(value.value()));
      const text = JSON.stringify({
        stores: stores.map(({ etag: _, ...rest }) => rest),
        bodies: bodies.map(({ body, etag: _, ...rest }) => ({ ...rest, body: JSON.parse(body.toString('utf8')) })),
        observations: observations.map(({ event: _, ...rest }) => rest),
        signals,
        events: events.map(({ etag, ...rest }) => ({ ...rest, hasEtag: etag !== '' })),
        lastEtag: [stores, bodies].every(([stored]) => stored?.etag === events.at(-1)?.etag),
      });
      // Ids derive from the domain.
      return JSON.parse(text.replaceAll(domain, 'DOMAIN').replaceAll(/(evt|bg|sf)_\w{26}/g, '$1'));
    };
    expect(await contentOf(together)).toEqual(await contentOf(alone));
    expect((await contentOf(together)).lastEtag).toBe(true);
  });

  it('a merge happens once when ten consumers receive its event at the same time', async () => {
    const event = observed('race.example', 1);
    const results = await Promise.all(Array.from({ length: 10 }, () => merge(deps, event, origin)));
    expect(results.filter((result) => result === 'merged')).toHaveLength(1);
    expect(results.filter((result) => result === 'duplicate')).toHaveLength(9);
    expect(await counts('race.example')).toMatchObject({ stores: 1, observations: 1, outbox: 1 });
  });

  it('a merge of two concurrent scans of a new domain loses neither, and the higher sequence is shown', async () => {
    for (let round = 0; round < 5; round++) {
      const domain = `race-${round}.example`;
      const scans = [1, 2, 3].map((n) => merge(deps, observed(domain, n, { name: `Shop ${n}` }), origin));
      await Promise.all(scans);
      expect(await counts(domain)).toMatchObject({ stores: 1, observations: 3, outbox: 3 });
      const found = await deps.storeBodies.find([domain], 5_000);
      expect(JSON.parse(found.get(domain)?.body.toString() ?? '').name).toBe('Shop 3');
    }
  });

  it('a merge is published by the next relay when the process that committed it was killed', async () => {
    const event = observed('orphan.example', 1);
    expect(await merge(deps, event, origin)).toBe('merged');
    expect(await counts('orphan.example')).toMatchObject({ outbox: 1 });
    const service = await corpus.start();
    expect(await corpus.updateOf(event)).toMatchObject({ domain: 'orphan.example', outcome: MergeOutcome.MERGED });
    await corpus.settled(service);
    expect(await counts('orphan.example')).toMatchObject({ outbox: 0 });
  });
});
