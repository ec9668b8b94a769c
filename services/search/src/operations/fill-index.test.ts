import { hourMs, minuteMs } from '@shopscope/clock';
import { seededRandom } from '@shopscope/testing/random';
import { describe, expect, it } from 'vitest';
import { createSearchSystem } from '../../test/support/search-system.ts';
import type { Dependencies } from './dependencies.ts';
import { beginFill, deleteOldIndexes, ensureIndex, fillIndex, servingIndex } from './fill-index.ts';
import { readState } from './shared-state.ts';
import { writeUpdates } from './write-updates.ts';

const { signal: never } = new AbortController();
const domainOf = (n: number) => `store-${String(n).padStart(4, '0')}.example`;

async function full(deps: Dependencies) {
  await ensureIndex(deps);
  await fillIndex(deps, never);
  return servingIndex(deps);
}

/** A pause of a random number of turns, which sometimes kills its caller. */
function randomPauses(seed: number, killShare: number) {
  const random = seededRandom(seed);
  const state = { kills: 0 };
  const pause = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await null;
    if (random() >= killShare) return;
    state.kills++;
    throw new Error('the instance is killed');
  };
  return { pause, state, random };
}

describe('filling an index', () => {
  it('a full index has every store of profiles, and serves', async () => {
    const { engine, profiles, instance } = createSearchSystem();
    for (let n = 0; n < 1_234; n++) profiles.set(domainOf(n), n + 1);
    expect(engine.versionsOf(await full(instance('a')))).toEqual(profiles);
  });

  it('an index without stores serves, and nothing serves before it is full', async () => {
    const { instance } = createSearchSystem();
    const deps = instance('a');
    await ensureIndex(deps);
    await expect(servingIndex(deps)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await full(deps)).toMatch(/^stores-/);
  });

  it('an index that serves is not made again, and instances that begin together make one', async () => {
    const { engine, instance } = createSearchSystem();
    await Promise.all(['a', 'b', 'c'].map((id) => ensureIndex(instance(id))));
    await full(instance('a'));
    await ensureIndex(instance('b'));
    expect(engine.names()).toHaveLength(1);
  });

  it('another instance continues where a killed one stopped, after its lease', async () => {
    const { clock, profiles, facts, engine, instance } = createSearchSystem();
    for (let n = 0; n < 1_600; n++) profiles.set(domainOf(n), 1);
    const positions: string[] = [];
    const failing = {
      ...facts,
      async list(after: string, limit: number) {
        positions.push(after);
        if (positions.length === 3) throw new Error('the instance is killed');
        return facts.list(after, limit);
      },
    };
    const killed = instance('a', { facts: failing });
    await ensureIndex(killed);
    await expect(fillIndex(killed, never)).rejects.toThrow('killed');
    const other = instance('b', { facts: failing });
    await fillIndex(other, never);
    expect(positions).toHaveLength(3);
    clock.advance(30_000);
    await fillIndex(other, never);
    expect(positions.slice(2)).toEqual([domainOf(999), domainOf(999), domainOf(1_499)]);
    expect(engine.versionsOf(await servingIndex(other))).toEqual(profiles);
  });

  it('the index before it serves until the new one is full, and is deleted an hour later', async () => {
    const { clock, engine, instance } = createSearchSystem();
    const deps = instance('a');
    const first = await full(deps);
    await beginFill(deps, { onlyIfNeeded: false });
    expect(await servingIndex(deps)).toBe(first);
    await fillIndex(deps, never);
    expect(await servingIndex(deps)).not.toBe(first);
    await deleteOldIndexes(deps);
    expect(engine.names()).toContain(first);
    clock.advance(hourMs);
    await deleteOldIndexes(deps);
    expect(engine.names()).toEqual([await servingIndex(deps)]);
    expect((await readState(deps, 'indexes')).retired).toEqual([]);
  });

  it('after the engine has lost its indexes, a new one is filled', async () => {
    const { engine, profiles, instance } = createSearchSystem();
    profiles.set(domainOf(1), 1);
    const deps = instance('a');
    const lost = await full(deps);
    await engine.indexes.delete(lost);
    expect(await full(deps)).not.toBe(lost);
    expect(engine.versionsOf(await servingIndex(deps))).toEqual(profiles);
  });

  it('an index becomes full without the stores whose documents it does not accept, and each of them is reported', async () => {
    const { engine, profiles, instance } = createSearchSystem();
    for (let n = 0; n < 700; n++) profiles.set(domainOf(n), 1);
    const refused = [domainOf(3), domainOf(650)];
    engine.refuse(...refused);
    const errors: unknown[] = [];
    const logger = { info: () => {}, warn: () => {}, error: (fields: object) => errors.push(fields) };
    const deps = instance('a', { logger: logger as unknown as Dependencies['logger'] });
    const index = await full(deps);
    for (const domain of refused) profiles.delete(domain);
    expect(engine.versionsOf(index)).toEqual(profiles);
    expect(errors).toEqual(refused.map((domain) => ({ index, domain, reason: 'too large' })));
  });

  it('an index that does not accept many stores never serves', async () => {
    const { engine, profiles, instance } = createSearchSystem();
    const deps = instance('a');
    const serving = await full(deps);
    for (let n = 0; n < 700; n++) profiles.set(domainOf(n), 1);
    engine.refuse(...profiles.keys());
    await beginFill(deps, { onlyIfNeeded: false });
    await expect(fillIndex(deps, never)).rejects.toThrow('500 stores of one page');
    expect(await servingIndex(deps)).toBe(serving);
  });

  it('updates whose documents the index accepts are written beside one that it does not accept, which is an error', async () => {
    const { engine, profiles, instance } = createSearchSystem();
    const deps = instance('a');
    const index = await full(deps);
    for (let n = 0; n < 3; n++) profiles.set(domainOf(n), 1);
    engine.refuse(domainOf(1));
    const updates = [...profiles.keys()].map((domain) => ({
      domain,
      profileSequence: 1,
      isRemoval: false,
      publishedAtMs: 0,
    }));
    const written = writeUpdates(deps, updates);
    await expect(written).rejects.toMatchObject({ code: 'internal', retryable: false });
    expect([...engine.versionsOf(index).keys()]).toEqual([domainOf(0), domainOf(2)]);
  });

  it('an update whose merge profiles does not have is repeated for ten minutes, and then no longer holds up the others', async () => {
    const { clock, engine, profiles, instance } = createSearchSystem();
    const deps = instance('a');
    const index = await full(deps);
    for (const n of [0, 1]) profiles.set(domainOf(n), 3);
    const publishedAtMs = clock.now();
    const updates = [
      { domain: domainOf(0), profileSequence: 4, isRemoval: false, publishedAtMs },
      { domain: domainOf(1), profileSequence: 3, isRemoval: false, publishedAtMs },
    ];
    clock.advance(10 * minuteMs - 1);
    await expect(writeUpdates(deps, updates)).rejects.toMatchObject({ code: 'unavailable' });
    expect(engine.versionsOf(index).size).toBe(0);
    clock.advance(1);
    await writeUpdates(deps, updates);
    expect(engine.versionsOf(index)).toEqual(profiles);
  });

  it('an index that no state names is deleted after an hour', async () => {
    const { clock, engine, instance } = createSearchSystem();
    const deps = instance('a');
    await engine.indexes.create('stores-stray');
    const serving = await full(deps);
    await deleteOldIndexes(deps);
    expect(engine.names()).toContain('stores-stray');
    clock.advance(hourMs);
    await deleteOldIndexes(deps);
    expect(engine.names()).toEqual([serving]);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'with merges, removals, refills and kills of three instances in random order, the serving index ends with the stores of profiles (seed %i)',
    async (seed) => {
      const { pause, state, random } = randomPauses(seed, 0.02);
      const { clock, engine, profiles, instance } = createSearchSystem(pause);
      const instances = ['a', 'b', 'c'].map((id) => instance(id));
      const pick = () => instances[Math.floor(random() * 3)] as Dependencies;
      for (let n = 0; n < 700; n++) profiles.set(domainOf(n), 1);
      const removals = new Map<string, number>();
      /** Repeats a step until it is done, as the timers and the consumer do. The lease of a killed instance expires. */
      const persist = async <T>(step: () => Promise<T>): Promise<T> => {
        for (let attempt = 0; attempt < 200; attempt++) {
          try {
            return await step();
          } catch {
            clock.advance(10_000);
            await null;
          }
        }
        throw new Error('the step never ended');
      };
      const merges = async () => {
        for (let n = 0; n < 60; n++) {
          // A refill may begin, and pass the store, between two updates.
          for (let turns = random() < 0.3 ? 400 : 0; turns > 0; turns--) await null;
          const domain = domainOf(Math.floor(random() * 800));
          const profileSequence = Math.max(profiles.get(domain) ?? 0, removals.get(domain) ?? 0) + 1;
          const isRemoval = random() < 0.3;
          if (isRemoval) removals.set(domain, profileSequence);
          if (isRemoval) profiles.delete(domain);
          else profiles.set(domain, profileSequence);
          const update = { domain, profileSequence, isRemoval, publishedAtMs: clock.now() };
          await persist(() => writeUpdates(pick(), [update]));
        }
      };
      const fills = async () => {
        for (let n = 0; n < 3; n++) {
          await persist(() => beginFill(pick(), { onlyIfNeeded: n === 0 }));
          await persist(async () => {
            clock.advance(30_000);
            await fillIndex(pick(), never);
            if ((await readState(pick(), 'indexes')).filling) throw new Error('another instance fills it');
          });
        }
      };
      await Promise.all([merges(), fills()]);
      const serving = await persist(() => servingIndex(pick()));
      expect(engine.versionsOf(serving)).toEqual(profiles);
      expect(state.kills).toBeGreaterThan(0);
    },
  );
});
