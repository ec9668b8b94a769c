import { hourMs } from '@shopscope/clock';
import { JobState } from '@shopscope/proto';
import { callsPerCrash, crashMoments, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { type RescanHarness, startRescanHarness } from './rescan-harness.ts';

/** Thrown at the point of the crash: nothing after it runs in that instance. */
class Crashed extends Error {}

/**
 * An instance that crashes at its nth call of the database or of another service. `before`: the call is not sent. `after`: the call takes
 * place, and its response is not read. A commit is a call too.
 */
function crashingAt(deps: Dependencies<'live'>, nth: number, when: 'before' | 'after') {
  let calls = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    const number = ++calls;
    if (number > nth || (number === nth && when === 'before')) throw new Crashed();
    const result = await call();
    if (number === nth) throw new Crashed();
    return result;
  };
  const crashing = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => [
        name,
        typeof member === 'function' ? (...args: unknown[]) => counted(async () => member(...args)) : member,
      ]),
    ) as Part;
  const { charging } = deps;
  const crashed: Dependencies<'live'> = {
    ...deps,
    watchlists: crashing(deps.watchlists),
    watchlistRescans: crashing(deps.watchlistRescans),
    watchedTurns: crashing(deps.watchedTurns),
    rescans: crashing(deps.rescans),
    rescanQueue: crashing(deps.rescanQueue),
    sequences: crashing(deps.sequences),
    events: crashing(deps.events),
    payers: crashing(deps.payers),
    charging: {
      ...charging,
      metering: crashing(charging.metering),
      scheduler: crashing(charging.scheduler),
      profiles: crashing(charging.profiles),
      events: crashing(charging.events),
    },
    transact: async (work, options) => {
      const result = await deps.transact(work, options);
      return counted(async () => result);
    },
  };
  return { crashed, hasCrashed: () => calls >= nth };
}

describe('an instance that crashes during a run', () => {
  const namespace = testNamespace('rescan-crashes');
  // A future time, because MongoDB deletes rescans by its own clock.
  const start = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1);
  let harness: RescanHarness;
  beforeAll(async () => {
    harness = await startRescanHarness(namespace, start);
  });
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  /** False when a run has fewer calls. */
  const runWithCrash = async (nth: number, when: 'before' | 'after'): Promise<boolean> => {
    await harness.reset(start);
    // The last unit of the budget is spent by the run that crashes, so it also pauses the rescans.
    const watched = await harness.watch(3, { budget: 100 });
    await harness.pass(3 * hourMs);
    await watched.update({ rescans: { interval: undefined, budget: { refreshRequested: 1 }, keyId: '' } });
    await harness.pass(hourMs);
    harness.clock.advance(400 * hourMs);
    const { crashed, hasCrashed } = crashingAt(harness.deps, nth, when);
    await harness.run(crashed).catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    await harness.pass(2 * hourMs);

    const jobs = [...harness.peers.jobs.values()];
    expect(jobs.map(({ state }) => state)).toEqual([JobState.QUEUED]);
    expect(harness.peers.billed(watched.workspaceId)).toBe(1);
    expect(harness.peers.charges.size).toBe(1);
    expect((await watched.get()).rescans).toMatchObject({ taken: 1, turn: 1, paused: 'budget_exhausted' });
    expect(await harness.eventsOf(watched.workspaceId)).toEqual(['watchlist.rescans_paused budget_exhausted']);
    const rescans = await harness.db.collection('rescans').find({}).toArray();
    expect(rescans).toMatchObject([{ state: 'requested', isBilled: true, jobId: jobs[0]?.id }]);
    return hasCrashed();
  };

  for (const { when, tags } of crashMoments) {
    const title = `a crash of the instance ${when} any call leaves nothing billed twice and nothing unpaid, and no turn is lost`;
    it(title, { timeout: 240_000, tags }, async () => {
      let nth = 1;
      while (await runWithCrash(nth, when)) nth += callsPerCrash;
      expect(nth).toBeGreaterThan(21);
    });
  }
});
