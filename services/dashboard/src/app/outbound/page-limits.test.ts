import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createPageLimits, defaultPageLimits, type Visitor } from '../domain/page-limits.ts';
import { createQueues } from './request-queue.ts';

/** Time from the beginning of a page to its last byte. */
const pageMs = 25;
const assetMs = 2;
const filesOfPage = 40;
const stepMs = 5;

/** An instance with the default limits, and the outcomes of the requests to it. */
function newInstance() {
  const clock = new ManualClock();
  const queues = createQueues(clock, { isOfThread: false });
  const limits = createPageLimits(defaultPageLimits);
  const waitsMs: number[] = [];
  let [sent, refused, ended] = [0, 0, 0];

  const take = async (entered: ReturnType<typeof queues.work.enter>, ms: number) => {
    await entered.begun;
    return new Promise<void>((done) => clock.after(ms, () => done(entered.leave())));
  };
  const request = async (address: string, isAsset: boolean, work: () => Promise<void>) => {
    sent++;
    const startMs = clock.monotonicMs();
    const door = queues.requests.enter(limits.request(address, { isAsset }));
    try {
      await door.begun;
      await work();
      waitsMs.push(clock.monotonicMs() - startMs);
    } catch {
      refused++;
    } finally {
      door.leave();
      ended++;
    }
  };
  return {
    page: (visitor: Visitor) =>
      request(visitor.address, false, () => take(queues.work.enter(limits.page(visitor, 0)), pageMs)),
    /** The files of a page, over six connections. */
    async assets({ address }: Visitor) {
      let left = filesOfPage;
      const connection = async () => {
        while (left-- > 0) await request(address, true, () => new Promise((done) => void clock.after(assetMs, done)));
      };
      await Promise.all(Array.from({ length: 6 }, connection));
    },
    /** Runs `each` of every step with the time, and ends the requests that are left. */
    async run(seconds: number, each: (ms: number) => void) {
      for (let ms = 0; ms < (seconds + 10) * 1_000; ms += stepMs) {
        if (ms < seconds * 1_000) each(ms);
        // Requests that have begun or ended continue within microtasks.
        for (let n = 0; n < 8; n++) await undefined;
        clock.advance(stepMs);
      }
      const sorted = waitsMs.toSorted((a, b) => a - b);
      const longestMs = sorted.at(-1) ?? 0;
      return { sent, ended, refused, longestMs, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
    },
  };
}

/** The same numbers in every run. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('default limits', () => {
  it('the default limits never refuse a person who opens ten tabs and then clicks three times a second beside live pages', async () => {
    const { page, assets, run } = newInstance();
    const person: Visitor = { address: '203.0.113.1', userId: 'usr_1', workspaceId: 'ws_1' };
    const { ended, refused, ...took } = await run(120, (ms) => {
      if (ms === 0) for (let tab = 0; tab < 10; tab++) void page(person);
      if (ms === 0) void assets(person);
      if (ms >= 2_000 && ms % 335 === 0) void page(person);
      // Three visible pages read their figures every 5 s.
      if (ms % 5_000 === 0) for (let tab = 0; tab < 3; tab++) void page(person);
    });
    expect([ended, refused]).toEqual([took.sent, 0]);
    expect(took.medianMs).toBeLessThanOrEqual(pageMs + stepMs);
    expect(took.longestMs).toBeLessThan(250);
  });

  it('the default limits let a person work on while a page of the person runs a list, batch after batch', async () => {
    const { page, run } = newInstance();
    const person: Visitor = { address: '203.0.113.1', userId: 'usr_1', workspaceId: 'ws_1' };
    let isRunning = false;
    const { refused, longestMs } = await run(120, (ms) => {
      if (!isRunning) {
        isRunning = true;
        void page(person).then(() => {
          isRunning = false;
        });
      }
      if (ms % 500 === 0) void page(person);
    });
    expect(refused).toBe(0);
    expect(longestMs).toBeLessThan(1_000);
  });

  it('the default limits never refuse an office of fifty people behind one address who sign in within a minute', async () => {
    const { page, assets, run } = newInstance();
    const random = randomOf(7);
    const address = '203.0.113.1';
    const people = Array.from({ length: 50 }, (_, n) => ({
      startMs: stepMs * Math.floor((random() * 60_000) / stepMs),
      anonymous: { address },
      known: { address, userId: `usr_${n}`, workspaceId: 'ws_1' },
      nextMs: 0,
    }));
    const { ended, refused, ...took } = await run(180, (ms) => {
      for (const person of people) {
        if (ms === person.startMs) {
          void page(person.anonymous);
          void assets(person.anonymous);
        }
        // The form, then the first page of a session that this instance does not know.
        if (ms === person.startMs + 5_000 || ms === person.startMs + 5_100) void page(person.anonymous);
        if (ms === person.startMs + 5_200) person.nextMs = ms;
        if (person.nextMs === ms && ms > 0) {
          void page(person.known);
          // Often three clicks in a second, then something to read.
          person.nextMs += stepMs * Math.round((random() < 0.7 ? 350 : 12_000) / stepMs);
        }
        // Two visible pages each.
        if (ms > person.startMs + 6_000 && (ms - person.startMs) % 2_500 === 0) void page(person.known);
      }
    });
    expect([ended, refused]).toEqual([took.sent, 0]);
    expect(took.sent).toBeGreaterThan(5_000);
    expect(took.medianMs).toBeLessThanOrEqual(pageMs + stepMs);
    expect(took.longestMs).toBeLessThan(1_000);
  });

  it('the default limits let an office of fifty people load the application at the same moment', async () => {
    const { page, assets, run } = newInstance();
    const { refused, longestMs } = await run(1, (ms) => {
      for (let n = 0; ms === 0 && n < 50; n++) {
        void page({ address: '203.0.113.1' });
        void assets({ address: '203.0.113.1' });
      }
    });
    expect(refused).toBe(0);
    expect(longestMs).toBeLessThan(3_500);
  });

  it('the default limits allow a member with 24 connections five pages a second, and nobody else waits', async () => {
    const { page, run } = newInstance();
    const greedy: Visitor = { address: '203.0.113.1', userId: 'usr_greedy', workspaceId: 'ws_greedy' };
    const modest: Visitor = { address: '198.51.100.1', userId: 'usr_modest', workspaceId: 'ws_modest' };
    let pagesOfGreedy = 0;
    const ask = (): Promise<void> =>
      page(greedy)
        .then(() => void pagesOfGreedy++)
        .then(ask);
    const waitsMs: number[] = [];
    await run(60, (ms) => {
      if (ms === 0) for (let n = 0; n < 24; n++) void ask();
      if (ms % 1_000 === 0) void page(modest).then(() => waitsMs.push(0));
    });
    expect(pagesOfGreedy).toBeLessThan(5 * 70 + 24);
    expect(waitsMs).toHaveLength(60);
  });
});

describe('shares of a page', () => {
  const limits = createPageLimits(defaultPageLimits);
  const keysOf = (visitor: Visitor) => {
    const { turn, shares } = limits.page(visitor, 0);
    return [turn, ...shares.map(({ key }) => key)];
  };

  it('a page counts for the shares of a workspace, of a person, or only of the network address', () => {
    const address = '203.0.113.1';
    expect(keysOf({ address })).toEqual([`address ${address}`, `anonymous ${address}`, `address ${address}`]);
    expect(keysOf({ address, userId: 'usr_1' })).toEqual(['person usr_1', 'person usr_1', `address ${address}`]);
    expect(keysOf({ address, userId: 'usr_1', workspaceId: 'ws_1' })).toEqual([
      'workspace ws_1',
      'person usr_1',
      `address ${address}`,
      'workspace ws_1',
    ]);
  });

  it('a page is charged by the size of its body: a list of a megabyte costs as much as many pages', () => {
    const costOf = (bytes: number) => limits.page({ address: '203.0.113.1' }, bytes).cost;
    expect([costOf(0), costOf(2_000), costOf(1_100_000)]).toEqual([1, 1, 17]);
  });
});
