import { dayMs, ManualClock, minuteMs } from '@shopscope/clock';
import { type Environment, environments, nameIn } from '@shopscope/environment';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import { connectMongo, createTransact } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import {
  KeyChange,
  KeyChanged,
  keyChanged,
  ScanJobEnded,
  ScanJobEndState,
  scanJobEnded,
  topicsOf,
} from '@shopscope/proto';
import { type KafkaHarness, mongoOptions, silentTelemetry, startKafkaHarness, waitUntil } from '@shopscope/testing';
import { recordDeletion } from '@shopscope/workspace-deletion';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEventParts } from '../../src/create-event-parts.ts';
import { createMetrics } from '../../src/metrics.ts';
import { deleteWorkspaces } from '../../src/operations/delete-workspaces.ts';
import { createStores, environmentCollections, type Stores } from '../../src/outbound/mongo/stores.ts';
import { origin } from './event-harness.ts';
import {
  add,
  createHarness,
  domainsOf,
  newList,
  newWatchlist,
  newWorkspaceId,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

const recordsName = 'deleted_workspaces';
/** Data of stores. */
const shared = ['scan_failures'];
const names = Object.keys(environmentCollections).filter((name) => !shared.includes(name));

describe('deletion of workspaces', () => {
  // MongoDB deletes events by its own clock.
  const clock = new ManualClock(Date.now());
  let harness: SubscriptionsHarness;
  let clientIn: (environment: Environment) => SubscriptionsClient;
  let kafka: KafkaHarness<unknown, EventProducer>;
  let workspaceId: string;
  beforeAll(async () => {
    harness = await createHarness('workspace-deletion', clock);
    const service = await harness.start();
    clientIn = service.clientIn;
    const topics = topicsOf(scanJobEnded.live, scanJobEnded.test, keyChanged);
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, harness.namespace, topics);
  });
  afterAll(async () => {
    await kafka?.close();
    await harness?.stop();
  });
  beforeEach(() => {
    workspaceId = newWorkspaceId();
  });

  const collectionOf = (name: string, environment: Environment = 'live') =>
    harness.db.collection<{ _id: string; [member: string]: unknown }>(nameIn(environment, name, '_'));
  /** The documents that name the workspace, by collection. */
  const documentsOf = async (id: string, environment: Environment = 'live'): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const name of names) {
      const all = await harness.db
        .collection(nameIn(environment, name, '_'))
        .find()
        .toArray();
      counts[name] = all.filter((document) => JSON.stringify(document).includes(id)).length;
    }
    return counts;
  };
  const isGone = async (id: string, environment: Environment = 'live') =>
    Object.entries(await documentsOf(id, environment)).every(([name, count]) => name === recordsName || count === 0);
  const recordOf = (id: string, environment: Environment = 'live') =>
    collectionOf(recordsName, environment).findOne({ _id: id }) as Promise<{ forgetAt?: Date } | null>;
  const tell = (jobId: string, id = workspaceId, environment: Environment = 'live') => {
    const scan = { workspaceId: id, jobId, domain: 'shop.example', state: ScanJobEndState.SUCCEEDED };
    return kafka.producer.publish(scanJobEnded[environment], ScanJobEnded.fromPartial(scan), {
      ...origin,
      environment,
    });
  };
  const announceDeletion = (id = workspaceId) => {
    const change = { change: KeyChange.WORKSPACE_DELETED, workspaceId: id, planSlug: 'free', atMs: clock.now() };
    return kafka.producer.publish(keyChanged, KeyChanged.fromPartial(change), { ...origin, environment: null });
  };
  const eventually = (what: string, condition: () => Promise<boolean>, stepMs = 1_000) =>
    waitUntil(what, async () => {
      clock.advance(stepMs);
      return condition();
    });
  /** A job that runs, and a rescan whose scan was joined. */
  const addWork = async (id: string, listId: string, watchlistId: string, environment: Environment) => {
    const [now, jobId] = [new Date(clock.now()), `job_u${id.slice('ws_'.length)}`];
    const times = { createdAt: now, startedAt: now, progressAt: now, turnAt: now, retryAt: now };
    const counts = { total: 1, done: 0, failed: 0, stored: { steps: 0, units: 0 } };
    const job = { type: 'enrich', keyId: 'key_1', state: 'running', isActive: true, expiresAt: null, refusal: null };
    const request = { requestId: 'req_1', traceparent: '' };
    await collectionOf('bulk_jobs', environment).insertOne({
      ...job,
      ...times,
      ...counts,
      _id: jobId,
      workspaceId: id,
      listIds: [listId],
      origin: request,
      billed: { lookupCached: 0, lookupLive: 0, historyQuery: 0 },
    });
    const step = { workspaceId: id, jobId, number: 0, inputs: [], isOpen: false };
    await collectionOf('bulk_job_steps', environment).insertOne({ _id: `${jobId}/0`, ...step });
    const result = { workspaceId: id, jobId, step: 0, domain: 'shop.example' };
    await collectionOf('bulk_job_results', environment).insertOne({ _id: `${jobId}/shop.example`, ...result });
    const piece = { workspaceId: id, jobId, step: 0, token: 'lse_1', start: 0 };
    await collectionOf('bulk_job_parts', environment).insertOne({ _id: `${jobId}/0/0`, ...piece });
    const rescan = { workspaceId: id, watchlistId, domain: 'watched.example', state: 'requested', jobId: 'job_1' };
    const state = { isWithdrawn: false, withdrawAt: null, isBilled: false, startedAt: now, retryAt: now };
    await collectionOf('rescans', environment).insertOne({ _id: `chg_${id}`, ...rescan, ...state });
    await collectionOf('rescan_queue', environment).insertOne({ _id: id, changes: 0 });
  };
  /** Creates data of every kind in an environment. */
  const fill = async (id: string, environment: Environment = 'live') => {
    const client = clientIn(environment);
    const list = { workspaceId: id, listId: await newList(client, id) };
    await add(client, list, storesOf(domainsOf(30)));
    const [watchlistId, watchedStores] = [`wl_${id}`, domainsOf(30, 'watched')];
    await collectionOf('watchlists', environment).insertOne({ _id: watchlistId, workspaceId: id, deletedAt: null });
    await collectionOf('watched_stores', environment).insertMany(
      watchedStores.map((domain) => ({ _id: `${id}/${domain}`, workspaceId: id, watchlistId, domain })),
    );
    await addWork(id, list.listId, watchlistId, environment);
    await tell(`job_${environment}`, id, environment);
    await eventually('an event', async () => (await documentsOf(id, environment)).events === 1);
    return list;
  };

  it('a deleted workspace has no document in any collection of any environment, and another one keeps all of its documents', async () => {
    const stranger = newWorkspaceId();
    for (const environment of environments) {
      await fill(workspaceId, environment);
      await fill(stranger, environment);
      const { [recordsName]: _, ...counts } = await documentsOf(workspaceId, environment);
      // A new collection needs data here, and a deletion in workspace-data.ts.
      for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
    }
    const kept = await documentsOf(stranger);
    await announceDeletion();
    for (const environment of environments) {
      await eventually('the deletion', () => isGone(workspaceId, environment));
    }
    expect(await documentsOf(stranger)).toEqual(kept);
    expect(await documentsOf(stranger, 'test')).toEqual(kept);
  });

  it('no late fact and no late call creates data of a deleted workspace', async () => {
    const list = await fill(workspaceId);
    const stranger = newWorkspaceId();
    await announceDeletion();
    await eventually('the deletion', () => isGone(workspaceId));
    const lateOnes = async (n: number) => {
      await tell(`job_late_${n}`);
      await tell(`job_other_${n}`, stranger);
      await eventually('the fact behind', async () => (await documentsOf(stranger)).events === n);
      const calls = [
        newList(clientIn('live'), workspaceId),
        newWatchlist(clientIn('live'), workspaceId, { keyId: '', rescanInterval: undefined, budget: undefined }),
        add(clientIn('live'), list, storesOf(['late.example'])),
      ];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
      expect(await isGone(workspaceId)).toBe(true);
    };
    await lateOnes(1);
    await eventually('the end of the deletion', async () => Boolean((await recordOf(workspaceId))?.forgetAt), minuteMs);
    await lateOnes(2);
    // The announcement arrives again.
    await announceDeletion();
    await lateOnes(3);
  });

  it('a transaction that began before the deletion record leaves no data, and the record is kept for 90 days from the end of the deletion', async () => {
    await fill(workspaceId);
    await announceDeletion();
    await eventually('the deletion', () => isGone(workspaceId));
    expect((await recordOf(workspaceId))?.forgetAt).toBeUndefined();
    const event = { workspaceId, sequence: 1, type: 'scan.completed', createdAt: new Date(clock.now()), data: '{}' };
    await collectionOf('events').insertOne({ _id: `${workspaceId}/late`, ...event });
    await collectionOf('sequences').insertOne({ _id: workspaceId, last: 1 });
    const listId = `lst_${workspaceId}`;
    await collectionOf('lists').insertOne({ _id: listId, workspaceId, deletedAt: null, storeCount: 1 });
    await collectionOf('list_stores').insertOne({ _id: listId, workspaceId, listId, domain: 'late.example' });
    await eventually('the end of the deletion', async () => Boolean((await recordOf(workspaceId))?.forgetAt), minuteMs);
    expect(await isGone(workspaceId)).toBe(true);
    const forgetAt = (await recordOf(workspaceId))?.forgetAt as Date;
    expect(clock.now() + 90 * dayMs - forgetAt.getTime()).toBeLessThan(10 * minuteMs);
    expect(clock.now() + 90 * dayMs - forgetAt.getTime()).toBeGreaterThanOrEqual(0);
  });
});

describe('the timer step that deletes workspaces', () => {
  const { logger } = silentTelemetry();
  let harness: SubscriptionsHarness;
  let mongo: Awaited<ReturnType<typeof connectMongo>>;
  let clock: ManualClock;
  let stores: Stores<'live'>;
  let deps: Parameters<typeof deleteWorkspaces<'live'>>[0];
  beforeAll(async () => {
    harness = await createHarness('workspace-deletion-step');
    mongo = await connectMongo(mongoOptions(harness.namespace, 'subscriptions'));
  });
  afterAll(async () => {
    await mongo?.close();
    await harness?.stop();
  });
  beforeEach(async () => {
    for (const name of Object.keys(environmentCollections)) await mongo.db.collection(name).deleteMany({});
    clock = new ManualClock(Date.now());
    stores = createStores(mongo.db, 'live');
    const { registry } = mongoOptions(harness.namespace, 'subscriptions');
    const transact = createTransact(mongo, { retryDuplicateKeys: true });
    const [outbox, relay] = [createOutbox(mongo.db), { nudge: () => {} }];
    const events = createEventParts({
      environment: 'live',
      stores,
      clock,
      logger,
      transact,
      client: mongo.client,
      outbox,
      relay,
    });
    deps = { ...events, ...stores, clock, logger, metrics: createMetrics(registry, clock) };
  });

  const bounds = { maxBatchSize: 100, maxPerRun: 2_000 };
  const collectionOf = (name: string) => mongo.db.collection<{ _id: string; [member: string]: unknown }>(name);
  const live = (workspaceId: string) => ({ workspaceId, environment: 'live' }) as const;
  const addEvents = (workspaceId: string, count: number) =>
    collectionOf('events').insertMany(
      Array.from({ length: count }, (_, n) => ({
        _id: `${workspaceId}/${n}`,
        workspaceId,
        sequence: n + 1,
        createdAt: new Date(),
      })),
    );
  const left = (workspaceId: string) => mongo.db.collection('events').countDocuments({ workspaceId });
  const record = (workspaceId: string) => recordDeletion(deps, live(workspaceId), new Date(clock.now()));
  const isFinished = async (workspaceId: string) =>
    Boolean((await collectionOf(recordsName).findOne({ _id: workspaceId }))?.forgetAt);

  it('a run deletes a bounded number of documents, and the workspaces that are recorded later have their turn', async () => {
    await addEvents('ws_large', 4_500);
    await addEvents('ws_small', 10);
    await record('ws_large');
    clock.advance(1);
    await record('ws_small');
    const runs: number[][] = [];
    for (let run = 0; run < 4; run++) {
      await deleteWorkspaces(deps, bounds);
      runs.push([await left('ws_large'), await left('ws_small')]);
      clock.advance(1_000);
    }
    expect(runs).toEqual([
      [2_500, 10],
      [510, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('an instance that ends before any call of a deletion leaves the rest to another one', async () => {
    let calls = 0;
    for (; ; calls++) {
      const workspaceId = `ws_${calls}`;
      await addEvents(workspaceId, 150);
      await collectionOf('sequences').insertOne({ _id: workspaceId, last: 150 });
      await record(workspaceId);
      clock.advance(5 * minuteMs);
      const dying = { ...deps, ...endingAt(stores, calls + 1) };
      const isWhole = await deleteWorkspaces(dying, bounds).then(
        () => isFinished(workspaceId),
        () => false,
      );
      const before = [await left(workspaceId), await isFinished(workspaceId)];
      if (calls > 0) {
        // No other instance works on the workspace while its claim is valid.
        await deleteWorkspaces(deps, bounds);
        expect([await left(workspaceId), await isFinished(workspaceId)]).toEqual(before);
      }
      clock.advance(minuteMs);
      await deleteWorkspaces(deps, bounds);
      expect([await left(workspaceId), await isFinished(workspaceId)]).toEqual([0, true]);
      expect(await mongo.db.collection('sequences').countDocuments({})).toBe(0);
      if (isWhole) break;
    }
    expect(calls).toBeGreaterThan(8);
  });

  it('two instances delete different workspaces at the same time', async () => {
    const workspaceIds = Array.from({ length: 10 }, (_, n) => `ws_${n}`);
    for (const each of workspaceIds) {
      await addEvents(each, 20);
      await record(each);
    }
    const deletions: string[] = [];
    const counting = {
      ...deps,
      quotas: {
        ...stores.quotas,
        delete: (...args: Parameters<typeof stores.quotas.delete>) => {
          deletions.push(args[0].workspaceId);
          return stores.quotas.delete(...args);
        },
      },
    };
    await Promise.all([deleteWorkspaces(counting, bounds), deleteWorkspaces(counting, bounds)]);
    expect(deletions.toSorted()).toEqual(workspaceIds);
    for (const each of workspaceIds) expect(await left(each)).toBe(0);
  });
});

/** Stores of an instance that ends at the nth of the calls that a deletion makes. */
function endingAt(stores: Stores<'live'>, nth: number): Partial<Stores<'live'>> {
  let calls = 0;
  const counted = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (++calls >= nth) throw new Error('the instance ends');
          return value.apply(target, args);
        };
      },
    });
  return Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, counted(store)]));
}
