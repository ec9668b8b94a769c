import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import {
  GetHistoryRequest,
  MergeOutcome,
  OptOutChange,
  type ProfilesServiceService,
  SearchSignalsRequest,
} from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed, sighting, unanswered } from '../support/observed-event.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

let corpus: Corpus;
let service: RunningService;
let profiles: GrpcClient<typeof ProfilesServiceService>;

beforeAll(async () => {
  corpus = await createCorpus('opt-outs');
  service = await corpus.start();
  profiles = corpus.client(service);
});
afterAll(() => corpus?.stop());

const { WITHDRAWN } = OptOutChange;
const app = { technologies: [sighting('woocommerce')] };

const isKnown = async (domain: string) => (await profiles.getStores({ domains: [domain] })).stores[0]?.length !== 0;
const updatesOf = (domain: string) =>
  corpus.updates
    .filter((update) => update.domain === domain)
    .map(({ outcome, profileSequence, reason }) => [outcome, profileSequence, reason]);

/** Every way to read a store, or data of it that is kept. */
async function tracesOf(domain: string) {
  const { stores } = await profiles.getStoreFacts({ domains: [domain] });
  const listed = await profiles.listStoreFacts({ afterDomain: '', limit: 500 });
  const { domains } = await profiles.listDomains({ afterDomain: '', throughDomain: '', limit: 10_000 });
  const times = await profiles.getScanTimes({ domains: [domain] });
  const history = await profiles.getHistory(GetHistoryRequest.fromPartial({ domain, limit: 10 }));
  const search = await profiles.searchSignals(SearchSignalsRequest.fromPartial({ limit: 200 }));
  const exported = await profiles.exportObservations({ afterDomain: '', afterSequence: 0, environment: '' });
  const kept = (name: string) => corpus.db.collection(name).countDocuments({ domain });
  return {
    body: await isKnown(domain),
    facts: stores.length,
    inRefill: listed.stores.some((store) => store.domain === domain),
    inSitemap: domains.some((each) => each.domain === domain),
    scanned: times.lastCompletedScanAtMs[0] !== 0,
    history: history.observation !== undefined,
    signals: search.signals.filter((signal) => signal.domain === domain).length,
    exported: exported.observations.some((observation) => observation.domain === domain),
    keptSignals: await kept('signals'),
    keptObservations: await kept('observations'),
  };
}
const nothing = {
  body: false,
  facts: 0,
  inRefill: false,
  inSitemap: false,
  scanned: false,
  history: false,
  signals: 0,
  exported: false,
  keptSignals: 0,
  keptObservations: 0,
};

describe('the opt-out of a domain', () => {
  it('an opted-out store is unknown to every read, and nothing else of it is kept than the sequence of its removal', async () => {
    const domain = 'leaves.example';
    await corpus.publish(observed(domain, 1), observed(domain, 2, app), observed('stays.example', 1));
    await corpus.settled(service);
    expect(await tracesOf(domain)).toEqual({
      body: true,
      facts: 1,
      inRefill: true,
      inSitemap: true,
      scanned: true,
      history: true,
      signals: 1,
      exported: true,
      keptSignals: 1,
      keptObservations: 2,
    });
    await corpus.optOut(domain, 1_000);
    await corpus.settled(service);
    expect(await tracesOf(domain)).toEqual(nothing);
    expect(await corpus.db.collection('stores').findOne({ _id: domain as never })).toEqual({
      _id: domain,
      sequence: 3,
      removedAt: expect.any(Date),
    });
    expect(updatesOf(domain).at(-1)).toEqual([MergeOutcome.REMOVED, 3, 'opted_out']);
    expect(await isKnown('stays.example')).toBe(true);
  });

  it('an observation that is under way when its store is opted out, or comes later, is rejected and not kept', async () => {
    const domain = 'under-way.example';
    await corpus.publish(observed(domain, 1));
    await corpus.settled(service);
    await corpus.optOut(domain, 1_000);
    await corpus.settled(service);
    await corpus.publish(observed(domain, 2, app), observed(domain, 7, app), unanswered(domain, 8));
    await corpus.settled(service);
    const rejected = [MergeOutcome.REJECTED, 2, 'opted_out'];
    expect(updatesOf(domain).slice(2)).toEqual([rejected, rejected, rejected]);
    expect(await tracesOf(domain)).toEqual(nothing);
  });

  it('a store that was never observed does not appear by its first observation', async () => {
    await corpus.optOut('never-seen.example', 1_000);
    await corpus.settled(service);
    await corpus.publish(observed('never-seen.example', 1, app));
    await corpus.settled(service);
    expect(await tracesOf('never-seen.example')).toEqual(nothing);
  });

  it('after a withdrawal, an observation with a higher sequence than the removal shows the store as a new one', async () => {
    const domain = 'returns.example';
    await corpus.publish(observed(domain, 1), observed(domain, 2, app));
    await corpus.settled(service);
    await corpus.optOut(domain, 1_000);
    await corpus.optOut(domain, 2_000, WITHDRAWN);
    await corpus.settled(service);
    const late = observed(domain, 3, { name: 'Late' });
    await corpus.publish(late);
    expect(await corpus.updateOf(late)).toMatchObject({ reason: 'superseded', profileSequence: 3 });
    expect(await isKnown(domain)).toBe(false);
    const anew = observed(domain, 4, app);
    await corpus.publish(anew);
    expect(await corpus.updateOf(anew)).toMatchObject({
      outcome: MergeOutcome.MERGED,
      profileSequence: 4,
      confirmations: [],
    });
    expect(await isKnown(domain)).toBe(true);
  });

  it('a repeated or late change of an opt-out changes nothing', async () => {
    const domain = 'repeats.example';
    await corpus.publish(observed(domain, 1));
    await corpus.optOut(domain, 1_000);
    await corpus.optOut(domain, 2_000, WITHDRAWN);
    await corpus.settled(service);
    await corpus.publish(observed(domain, 5));
    await corpus.settled(service);
    await corpus.optOut(domain, 1_000);
    await corpus.optOut(domain, 2_000);
    await corpus.settled(service);
    expect(await isKnown(domain)).toBe(true);
  });

  it('the opt-out of a private suffix removes the stores below it, and no others', async () => {
    const below = ['one.github.io', 'two.github.io'];
    await corpus.publish(...[...below, 'github.example', 'notgithub.io'].map((domain) => observed(domain, 1, app)));
    await corpus.settled(service);
    await corpus.optOut('github.io', 1_000);
    await corpus.settled(service);
    for (const domain of below) expect(await tracesOf(domain)).toEqual(nothing);
    expect(await isKnown('github.example')).toBe(true);
    expect(await isKnown('notgithub.io')).toBe(true);
    await corpus.publish(observed('three.github.io', 1));
    await corpus.settled(service);
    expect(await isKnown('three.github.io')).toBe(false);
  });

  it('test stores of the same name stay', async () => {
    const request = { domains: ['store-0006.test'], workspaceId: `ws_${'1'.repeat(26)}` };
    const ofTest = { origin: { requestId: 'req_test', traceparent: '', environment: 'test' as const } };
    const before = await profiles.getStores(request, ofTest);
    expect(before.stores[0]?.length).toBeGreaterThan(0);
    await corpus.optOut('store-0006.test', 1_000);
    await corpus.settled(service);
    expect(await profiles.getStores(request, ofTest)).toEqual(before);
  });
});
