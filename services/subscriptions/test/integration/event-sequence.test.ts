import { createDeadline } from '@shopscope/async';
import { hourMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { seededRandom } from '@shopscope/testing/random';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maxEventDataBytes, type NewEvent } from '../../src/domain/event.ts';
import { appendEvents, appendEventsWithin } from '../../src/operations/append-events.ts';
import type { EventDependencies } from '../../src/operations/event-dependencies.ts';
import {
  type EventHarness,
  eventOf,
  factsOf,
  live,
  origin,
  sequencesOf,
  startEventHarness,
  upTo,
} from './event-harness.ts';

describe('the sequence of a workspace', () => {
  const namespace = testNamespace('events');
  let harness: EventHarness;
  beforeAll(async () => {
    harness = await startEventHarness(namespace);
  });
  beforeEach(() => harness.reset());
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  it('a reader that follows the sequence while eight instances append finds no gap and no late event', async () => {
    const random = seededRandom(8);
    const workspaces = ['ws_a', 'ws_b', 'ws_c', 'ws_d', 'ws_e'];
    const appended = new Map(workspaces.map((id) => [id, new Set<string>()]));
    const batches = Array.from({ length: 8 }, (_, instance) =>
      Array.from({ length: 8 }, (_, batch) =>
        Array.from({ length: 1 + Math.floor(random() * 8) }, (_, n) => {
          const workspaceId = workspaces[Math.floor(random() * workspaces.length)] as string;
          const fact = `${instance}-${batch}-${n}`;
          appended.get(workspaceId)?.add(fact);
          return eventOf(live(workspaceId), fact);
        }),
      ),
    );
    const append = async (own: readonly NewEvent<'live'>[][]) => {
      const instance = harness.instanceIn('live');
      for (const events of own) await harness.append(instance, ...events);
    };
    let isDone = false;
    const follow = async (workspaceId: string) => {
      const seen: string[] = [];
      let pages = 0;
      for (let after: number | undefined; ; pages++) {
        const wasDone = isDone;
        const page = await harness.list(workspaceId, { after, limit: 7 });
        expect(sequencesOf(page.events)).toEqual(upTo(seen.length + page.events.length, seen.length + 1));
        seen.push(...factsOf(page.events));
        expect(page.position).toBe(seen.length);
        after = page.position;
        if (wasDone && !page.hasMore) return { seen, pages };
      }
    };
    const readers = workspaces.map(follow);
    await Promise.all(batches.map(append));
    isDone = true;
    const read = await Promise.all(readers);
    for (const [index, { seen, pages }] of read.entries()) {
      expect(new Set(seen)).toEqual(appended.get(workspaces[index] as string));
      expect(new Set(seen).size).toBe(seen.length);
      // The reader looked while events were appended.
      expect(pages).toBeGreaterThan(3);
    }
  }, 120_000);

  it('the events of a workspace reach the outbox in the order of its sequence', async () => {
    const instances = [harness.deps, harness.instanceIn('live')];
    await Promise.all(
      upTo(20).map((n) => harness.append(instances[n % 2] as EventDependencies<'live'>, eventOf(live('ws_a'), `${n}`))),
    );
    const published = await harness.published();
    expect(sequencesOf(published)).toEqual(upTo(20));
    expect(published.map(({ id }) => id)).toEqual((await harness.list('ws_a')).events.map(({ id }) => id));
  });

  it('facts that several instances append again have one event each', async () => {
    const facts = upTo(30).map((n) => eventOf(live(`ws_${n % 3}`), `fact-${n}`));
    const instances = upTo(6).map(() => harness.instanceIn('live'));
    await Promise.all(instances.map((instance) => harness.append(instance, ...facts, ...facts)));
    await harness.append(harness.deps, ...facts.toReversed());
    for (const workspaceId of ['ws_0', 'ws_1', 'ws_2']) {
      expect(sequencesOf(await harness.stored(workspaceId))).toEqual(upTo(10));
    }
    expect(await harness.published()).toHaveLength(30);
  }, 60_000);

  it('new facts get places behind those of facts that are appended again', async () => {
    await harness.append(harness.deps, eventOf(live('ws_a'), 'old'));
    await harness.append(
      harness.deps,
      eventOf(live('ws_a'), 'new'),
      eventOf(live('ws_a'), 'old'),
      eventOf(live('ws_a'), 'last'),
    );
    expect(factsOf((await harness.list('ws_a')).events)).toEqual(['old', 'new', 'last']);
  });

  it('one fact that two workspaces are told has an event in each', async () => {
    await harness.append(harness.deps, eventOf(live('ws_a'), 'signal'), eventOf(live('ws_b'), 'signal'));
    for (const id of ['ws_a', 'ws_b']) expect(sequencesOf(await harness.stored(id))).toEqual([1]);
  });

  it('live and test events of a workspace have sequences, collections and topics of their own', async () => {
    const test = harness.instanceIn('test');
    await harness.append(test, eventOf({ workspaceId: 'ws_a', environment: 'test' }, 'simulated'));
    await harness.append(harness.deps, eventOf(live('ws_a'), 'simulated'), eventOf(live('ws_a'), 'second'));
    expect(factsOf((await harness.list('ws_a')).events)).toEqual(['simulated', 'second']);
    expect(sequencesOf(await harness.stored('ws_a', 'test_events'))).toEqual([1]);
    expect(sequencesOf(await harness.published('test'))).toEqual([1]);
    expect(sequencesOf(await harness.published('live'))).toEqual([1, 2]);
  });

  it('the times of a sequence never decrease, although the clock of an instance steps back', async () => {
    await harness.append(harness.deps, eventOf(live('ws_a'), 'first'));
    harness.clock.setWall(harness.clock.now() - hourMs);
    await harness.append(harness.deps, eventOf(live('ws_a'), 'second'));
    harness.clock.setWall(harness.clock.now() + 2 * hourMs);
    await harness.append(harness.deps, eventOf(live('ws_a'), 'third'));
    const times = (await harness.list('ws_a')).events.map(({ createdAt }) => createdAt.getTime());
    expect(times[1]).toBe(times[0]);
    expect((times[2] as number) - (times[1] as number)).toBe(hourMs);
    harness.clock.setWall(Date.now());
  });

  it('an event that is too large is refused and fails no event that is appended at the same time', async () => {
    const large = eventOf(live('ws_a'), 'large', { data: 'x'.repeat(maxEventDataBytes + 1) });
    const refused = harness.append(harness.deps, large);
    const accepted = harness.append(harness.deps, eventOf(live('ws_a'), 'small'));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'data' } });
    await accepted;
    expect(factsOf((await harness.list('ws_a')).events)).toEqual(['small']);
  });

  it('more events than one transaction takes are all appended, in their order', async () => {
    await harness.append(harness.deps, ...upTo(1_200).map((n) => eventOf(live('ws_a'), `${n}`)));
    const stored = await harness.stored('ws_a');
    expect(sequencesOf(stored)).toEqual(upTo(1_200));
    expect(factsOf(stored)).toEqual(upTo(1_200).map(String));
  });

  it('an event in the transaction of a change exists only if the change is committed', async () => {
    const { deps } = harness;
    const pause = (isFailing: boolean) =>
      deps.transact(async (tx) => {
        await appendEventsWithin(deps, tx, [{ event: eventOf(live('ws_a'), `paused-${isFailing}`), origin }]);
        if (isFailing) throw new Error('the change fails');
      });
    await expect(pause(true)).rejects.toThrow('the change fails');
    await pause(false);
    expect(factsOf((await harness.list('ws_a')).events)).toEqual(['paused-false']);
    expect(await harness.published()).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'an append whose instance ends %s any call of the database leaves no gap, and is complete when it is repeated',
    async (when) => {
      let calls = 0;
      for (; ; calls++) {
        await harness.reset();
        await harness.append(harness.deps, eventOf(live('ws_a'), 'earlier'));
        const facts = [eventOf(live('ws_a'), 'one'), eventOf(live('ws_b'), 'two'), eventOf(live('ws_a'), 'three')];
        const dying = endingAt(harness, calls + 1, when);
        const hasEnded = await appendEvents(
          dying,
          facts.map((event) => ({ event, origin })),
          createDeadline(30_000),
        ).then(
          () => false,
          (error) => {
            if (!(error instanceof Ended)) throw error;
            return true;
          },
        );
        const between = sequencesOf(await harness.stored('ws_a'));
        expect(between).toEqual(upTo(between.length));
        await harness.append(harness.deps, eventOf(live('ws_a'), 'other'));
        await harness.append(harness.deps, ...facts);
        expect(sequencesOf(await harness.stored('ws_a'))).toEqual(upTo(4));
        expect(sequencesOf(await harness.stored('ws_b'))).toEqual([1]);
        expect(sequencesOf((await harness.published()).filter(({ workspaceId }) => workspaceId === 'ws_a'))).toEqual(
          upTo(4),
        );
        if (!hasEnded) break;
      }
      expect(calls).toBe(5);
    },
    60_000,
  );
});

/** Thrown where the instance ends. */
class Ended extends Error {}

/** An instance that ends at its nth call of the database. A commit is a call too. `after`: nothing reads the response of the call. */
function endingAt({ instanceIn }: EventHarness, nth: number, when: 'before' | 'after'): EventDependencies<'live'> {
  let calls = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    const isLast = ++calls === nth;
    if (isLast && when === 'before') throw new Ended();
    const result = await call();
    if (isLast) throw new Ended();
    return result;
  };
  return instanceIn('live', {
    stores: ({ events, sequences, ...others }) => ({
      ...others,
      events: {
        ...events,
        absent: (...args) => counted(() => events.absent(...args)),
        insert: (...args) => counted(() => events.insert(...args)),
      },
      sequences: { ...sequences, extend: (...args) => counted(() => sequences.extend(...args)) },
    }),
    outbox: (outbox) => ({ appendMany: (...args) => counted(() => outbox.appendMany(...args)) }),
    transact: (transact) => async (work, options) => {
      let isCommitting = false;
      const result = await transact(async (tx) => {
        const done = await work(tx);
        isCommitting = true;
        if (when === 'before') await counted(async () => {});
        return done;
      }, options);
      if (when === 'after' && isCommitting) await counted(async () => {});
      return result;
    },
  });
}
