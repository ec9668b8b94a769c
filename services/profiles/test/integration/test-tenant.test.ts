import { dayMs, hourMs, MovableClock, systemClock } from '@shopscope/clock';
import type { GrpcClient } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  MergeOutcome,
  type ProfilesServiceService,
  type ProfileUpdated,
  profileUpdated,
  SearchSignalsRequest,
  type TestScanCompleted,
  testScanCompleted,
} from '@shopscope/proto';
import { magicAnswersOf, magicDomains } from '@shopscope/test-tenant';
import { generatedDomain } from '@shopscope/test-tenant/observations';
import { startKafkaHarness, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { midnightBefore } from '../../src/domain/test-store.ts';
import { type Corpus, createCorpus } from './support/corpus.ts';

/** The test tenant in the whole service: simulated scans come in as events, and calls of the test environment read them. */

/** The clock begins at noon, because the bodies of test stores change at midnight. */
const clock = new MovableClock(systemClock);
let corpus: Corpus;
let service: RunningService;
let client: GrpcClient<typeof ProfilesServiceService>;
let kafka: Awaited<ReturnType<typeof startKafka>>;
let updates: { events: readonly ProfileUpdated[] };

const origin = { requestId: 'req_test', traceparent: '', environment: 'test' as const };
const ofTest = { origin };
const ofLive = { origin: { ...origin, environment: 'live' as const } };
const workspace = (n: number) => `ws_${String(n).padStart(26, '0')}`;
const filters = undefined;

const startKafka = () => startKafkaHarness({ createKafka, createProducer, consumeEvents }, corpus.namespace);

beforeAll(async () => {
  corpus = await createCorpus('test-tenant');
  kafka = await startKafka();
  updates = await kafka.collect(profileUpdated.test);
  clock.setOffset(clock.offsetTo(midnightBefore(systemClock.now()) + 12 * hourMs));
  service = await corpus.start({}, clock);
  client = corpus.client(service);
});
afterAll(async () => {
  await kafka?.close();
  await corpus?.stop();
});

/** The dates of a series begin with the reset. */
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

let scans = 0;
const scanOf = (workspaceId: string, domain: string, sequence: number, over: Partial<TestScanCompleted> = {}) => ({
  workspaceId,
  domain,
  scanId: `scan-${++scans}`,
  sequence,
  completedAtMs: clock.now(),
  ...over,
});
const publish = (...events: TestScanCompleted[]) =>
  kafka.producer.publishMany(testScanCompleted, events, origin, { timeoutMs: 10_000 });
const updateOf = ({ scanId }: TestScanCompleted) =>
  waitUntil(`the update of ${scanId}`, () => updates.events.find((update) => update.scanId === scanId));

async function storesOf(workspaceId: string, ...domains: string[]) {
  const { bodies, stores } = await client.getStores({ domains, workspaceId }, ofTest);
  return stores.map(({ offset, length, etag }) => {
    const text = Buffer.from(bodies.subarray(offset, offset + length)).toString();
    return length === 0 ? undefined : { text, etag, body: JSON.parse(text) };
  });
}

describe('test tenant', () => {
  it.each(magicDomains.filter((magic) => !magicAnswersOf(magic).fault))(
    'a look-up of $domain has the state of its row, and only a known store has a history',
    async (magic) => {
      const workspaceId = workspace(1);
      const [store] = await storesOf(workspaceId, magic.domain);
      expect(store?.body.status.state).toBe(magic.state);
      const history = await client.getHistory(
        { domain: magic.domain, filters, after: undefined, limit: 10, workspaceId },
        ofTest,
      );
      expect(history.observation !== undefined).toBe(magicAnswersOf(magic).history === 200);
    },
  );

  it('a scan changes the stores and signals of its own workspace and publishes an event, and changes no other workspace', async () => {
    const [scanning, other] = [workspace(2), workspace(3)];
    const before = await storesOf(other, 'changes.test', 'unknown.test');
    const known = scanOf(scanning, 'unknown.test', 1);
    const series = [1, 2, 3, 4, 5, 6, 7].map((n) => scanOf(scanning, 'changes.test', n));
    await publish(known, ...series);
    const merged = await Promise.all([known, ...series].map(updateOf));
    for (const update of merged) expect(update).toMatchObject({ outcome: MergeOutcome.MERGED, workspaceId: scanning });

    const confirmed = merged.flatMap(({ confirmations }) => confirmations);
    expect(confirmed.map(({ type }) => type).sort()).toEqual([
      ...Array(7).fill('technology_added'),
      'technology_removed',
    ]);
    const [changed, found] = await storesOf(scanning, 'changes.test', 'unknown.test');
    expect([changed?.etag, found?.body.name]).toEqual([merged.at(-1)?.etag, 'Unknown']);
    const search = (workspaceId: string) =>
      client.getSignals({ ids: confirmed.map(({ id }) => id), workspaceId }, ofTest);
    expect((await search(scanning)).signals.map(({ id }) => id)).toEqual(confirmed.map(({ id }) => id));
    expect((await search(other)).signals).toEqual([]);
    expect(await storesOf(other, 'changes.test', 'unknown.test')).toEqual(before);
    const times = await client.getScanTimes({ domains: ['unknown.test'], workspaceId: scanning }, ofTest);
    expect(times.lastCompletedScanAtMs).toEqual([known.completedAtMs]);
  });

  it('a scan that is delivered again, or after a later one, changes nothing', async () => {
    const workspaceId = workspace(4);
    const [first, second, later] = [1, 2, 3].map((n) => scanOf(workspaceId, 'flaps.test', n)) as [
      TestScanCompleted,
      TestScanCompleted,
      TestScanCompleted,
    ];
    await publish(first, later);
    await updateOf(later);
    const before = await storesOf(workspaceId, 'flaps.test');
    await publish(first, second, later);
    expect(await updateOf(second)).toMatchObject({ outcome: MergeOutcome.REJECTED, reason: 'superseded' });
    await waitUntil('all events to be consumed', async () => (await service.pending()) === 0);
    expect(await storesOf(workspaceId, 'flaps.test')).toEqual(before);
    expect(updates.events.filter(({ scanId }) => [first.scanId, later.scanId].includes(scanId))).toHaveLength(2);
  });

  it('a scan of a domain without a store becomes a dead letter, and the other scans of its batch are merged once', async () => {
    const workspaceId = workspace(9);
    const generated = Array.from({ length: 30 }, (_, n) => scanOf(workspaceId, generatedDomain(n + 1), 1));
    const wrong = scanOf(workspaceId, 'nowhere.test', 1);
    await publish(...generated.slice(0, 10), wrong, ...generated.slice(10));
    for (const update of await Promise.all(generated.map(updateOf))) {
      expect(update).toMatchObject({ outcome: MergeOutcome.MERGED, workspaceId });
    }
    await waitUntil('all events to be consumed', async () => (await service.pending()) === 0);
    const ids = [...generated, wrong].map(({ scanId }) => scanId);
    expect(updates.events.filter(({ scanId }) => ids.includes(scanId))).toHaveLength(generated.length);
  });

  it('a reset restores the first stores of the workspace, and the same scans then have the same results with other signal ids', async () => {
    const workspaceId = workspace(5);
    const timeless = async () =>
      (await storesOf(workspaceId, 'unknown.test', 'migrates.test')).map((store) => store?.text.replaceAll(times, ''));
    const before = await timeless();
    const run = async () => {
      const events = [1, 2].map((n) => scanOf(workspaceId, 'migrates.test', n));
      await publish(...events);
      const { confirmations } = await updateOf(events[1] as TestScanCompleted);
      const [store] = await storesOf(workspaceId, 'migrates.test');
      return {
        ids: confirmations.map(({ id }) => id),
        text: store?.text.replaceAll(/evt_\w+/g, '').replaceAll(times, ''),
      };
    };
    const first = await run();
    const late = scanOf(workspaceId, 'unknown.test', 1);
    await client.resetTestStores({ workspaceId }, ofTest);
    expect(await timeless()).toEqual(before);
    await publish(late);
    expect(await updateOf(late)).toMatchObject({ outcome: MergeOutcome.REJECTED, reason: 'superseded' });
    expect(await storesOf(workspaceId, 'unknown.test')).toEqual([undefined]);
    const again = await run();
    expect(again.text).toBe(first.text);
    expect(again.ids).toHaveLength(first.ids.length);
    expect(again.ids.filter((id) => first.ids.includes(id))).toEqual([]);
  });

  it('the dates of a series never step back: days after a reset, an unscanned store and its first scan are dated from the reset', async () => {
    const workspaceId = workspace(8);
    const dateOf = async (domain: string) =>
      Date.parse((await storesOf(workspaceId, domain))[0]?.body.observation.last_completed_scan_at);
    const beforeMs = clock.now();
    await client.resetTestStores({ workspaceId }, ofTest);
    const pastMs = await dateOf('changes.test');
    const resetMs = pastMs + 30 * dayMs + 7 * hourMs;
    expect(resetMs).toBeGreaterThanOrEqual(beforeMs);
    expect(resetMs).toBeLessThanOrEqual(clock.now());
    const { offsetMs } = clock;
    clock.setOffset(offsetMs + 5 * dayMs);
    expect(await dateOf('changes.test')).toBe(pastMs);
    const scan = scanOf(workspaceId, 'changes.test', 1);
    await publish(scan);
    await updateOf(scan);
    expect(await dateOf('changes.test')).toBe(resetMs - 30 * dayMs);
    expect(await dateOf('flaps.test')).toBe(pastMs);
    clock.setOffset(offsetMs);
  });

  it('a search finds signals of the generated stores by their published values', async () => {
    const request = SearchSignalsRequest.fromPartial({ filters: { platforms: ['shopify'] }, limit: 200 });
    const { signals, next } = await client.searchSignals({ ...request, workspaceId: workspace(6) }, ofTest);
    expect([signals.length, next === undefined]).toEqual([200, false]);
    expect(signals.every(({ domain }) => domain.endsWith('.test'))).toBe(true);
  });

  it('live calls find no test store, and scans of the test tenant write no live collection', async () => {
    const { stores } = await client.getStores(
      { domains: ['matched.test', 'unknown.test'], workspaceId: workspace(2) },
      ofLive,
    );
    expect(stores.map(({ length }) => length)).toEqual([0, 0]);
    for (const name of ['stores', 'store_bodies', 'observations', 'signals', 'open_records']) {
      expect([name, await corpus.db.collection(name).countDocuments({})]).toEqual([name, 0]);
    }
    expect(corpus.updates).toEqual([]);
  });

  it('a call of the test environment without a workspace is refused, and so is a reset of live stores', async () => {
    const refused = { code: 'invalid_request' };
    await expect(client.getStores({ domains: ['matched.test'] }, ofTest)).rejects.toMatchObject(refused);
    await expect(client.resetTestStores({ workspaceId: workspace(7) }, ofLive)).rejects.toMatchObject(refused);
  });
});
