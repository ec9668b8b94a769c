import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { createOutbox, outboxIndexes } from '@shopscope/outbox';
import { MergeOutcome, profileUpdated } from '@shopscope/proto';
import { mongoOptions } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { mergeObservation } from '../../src/operations/merge-observation.ts';
import { createDomainRanges } from '../../src/outbound/mongo/domain-ranges.ts';
import { createObservationStore, observationIndexes } from '../../src/outbound/mongo/observations.ts';
import { createSignalStore, signalIndexes } from '../../src/outbound/mongo/signals.ts';
import { createProfileStore } from '../../src/outbound/mongo/stores.ts';
import { day } from '../support/observed.ts';
import { observed, sighting } from '../support/observed-event.ts';
import { type Corpus, createCorpus, siteUrl } from './support/corpus.ts';

/** A committed merge without a relay: the state after a process was killed between commit and publishing. */
let corpus: Corpus;
let deps: Dependencies;
let disconnect: () => Promise<void>;
const origin = { requestId: 'req_crash', traceparent: '' };

beforeAll(async () => {
  corpus = await createCorpus('profiles-crash');
  const options = mongoOptions(corpus.namespace, 'profiles');
  const mongo = await connectMongo(options);
  disconnect = mongo.close;
  await ensureIndexes(mongo.db, {
    stores: [],
    observations: observationIndexes,
    signals: signalIndexes,
    ...outboxIndexes,
  });
  const outbox = createOutbox(mongo.db);
  deps = {
    siteUrl,
    technologies: createTechnologyIndex([], siteUrl),
    corpusCount: () => undefined,
    domains: createDomainRanges(mongo.db),
    stores: createProfileStore(mongo.db),
    observations: createObservationStore(mongo.db, 1_825),
    signals: createSignalStore(mongo.db, 1_825),
    metrics: createMetrics(options.registry),
    logger: options.logger,
    transact: createTransact(mongo),
    appendEvent: (tx, update, from) => outbox.append(tx.session, profileUpdated, update, from),
  };
});
afterAll(async () => {
  await disconnect?.();
  await corpus?.stop();
});

const counts = async (domain: string) => ({
  stores: await corpus.db.collection('stores').countDocuments({ _id: domain as never }),
  observations: await corpus.db.collection('observations').countDocuments({ domain }),
  signals: await corpus.db.collection('signals').countDocuments({ domain }),
  outbox: await corpus.db.collection('outbox').countDocuments({ key: domain }),
});

describe('a merge', () => {
  it.each(['its last step', 'its commit'])(
    'changes nothing when it fails at %s, and its retry is complete',
    async (at) => {
      const domain = `${at.replaceAll(' ', '-')}.example`;
      const end = () => Promise.reject(new Error('the process ended here'));
      const dying: Dependencies =
        at === 'its commit'
          ? { ...deps, transact: (work) => deps.transact(async (tx) => work(tx).then(end)) }
          : { ...deps, appendEvent: end };
      const signalled = observed(domain, 2, { technologies: [sighting('custom-theme')] });
      const last = { ...(await counts(domain)), observations: 1, stores: 1, outbox: 1 };

      await mergeObservation(deps, observed(domain, 1), origin);
      await expect(mergeObservation(dying, signalled, origin)).rejects.toThrow('the process ended here');
      expect(await counts(domain)).toEqual(last);
      expect((await deps.stores.findBodies([domain], 5_000)).get(domain)?.lastCompletedScanAt).toEqual(day(1));
      expect(await mergeObservation(deps, signalled, origin)).toBe('merged');
      expect(await counts(domain)).toEqual({ stores: 1, observations: 2, signals: 1, outbox: 2 });
    },
  );

  it('happens once when ten consumers receive its event at the same time', async () => {
    const event = observed('race.example', 1);
    const results = await Promise.all(Array.from({ length: 10 }, () => mergeObservation(deps, event, origin)));
    expect(results.filter((result) => result === 'merged')).toHaveLength(1);
    expect(results.filter((result) => result === 'duplicate')).toHaveLength(9);
    expect(await counts('race.example')).toMatchObject({ stores: 1, observations: 1, outbox: 1 });
  });

  it('loses neither of two concurrent scans of a new domain, and the higher sequence is shown', async () => {
    for (let round = 0; round < 5; round++) {
      const domain = `race-${round}.example`;
      const scans = [1, 2, 3].map((n) => mergeObservation(deps, observed(domain, n, { name: `Shop ${n}` }), origin));
      await Promise.all(scans);
      expect(await counts(domain)).toMatchObject({ stores: 1, observations: 3, outbox: 3 });
      const found = await deps.stores.findBodies([domain], 5_000);
      expect(JSON.parse(found.get(domain)?.body.toString() ?? '').name).toBe('Shop 3');
    }
  });

  it('is published by the next relay when the process that committed it was killed', async () => {
    const event = observed('orphan.example', 1);
    expect(await mergeObservation(deps, event, origin)).toBe('merged');
    expect(await counts('orphan.example')).toMatchObject({ outbox: 1 });
    const service = await corpus.start();
    expect(await corpus.updateOf(event)).toMatchObject({ domain: 'orphan.example', outcome: MergeOutcome.MERGED });
    await corpus.settled(service);
    expect(await counts('orphan.example')).toMatchObject({ outbox: 0 });
  });
});
