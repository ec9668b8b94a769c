import { dayMs, minuteMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createSearchSystem } from '../../test/support/search-system.ts';
import { beginFill, ensureIndex, fillIndex } from './fill-index.ts';
import { type EditionWatch, keepEditions } from './open-edition.ts';
import { findEdition } from './search-edition.ts';
import { readState } from './shared-state.ts';
import { writeUpdates } from './write-updates.ts';

const { signal: never } = new AbortController();
const deadline = { timeoutMs: () => 1_000 };
const newWatch = (): EditionWatch => ({ unreachableSinceMs: undefined });

async function setUp(pause?: () => Promise<void>) {
  const system = createSearchSystem(pause);
  const deps = system.instance('a');
  const merge = async (domain: string) => {
    const profileSequence = (system.profiles.get(domain) ?? 0) + 1;
    system.profiles.set(domain, profileSequence);
    const publishedAtMs = system.clock.now();
    await writeUpdates(deps, [{ domain, profileSequence, isRemoval: false, publishedAtMs }]);
  };
  for (let n = 0; n < 10; n++) system.profiles.set(`${n}.example`, 1);
  await ensureIndex(deps);
  await fillIndex(deps, never);
  const editions = async () => (await readState(deps, 'editions')).editions;
  const watch = newWatch();
  const look = () => keepEditions(deps, watch);
  return { ...system, deps, merge, editions, look };
}

describe('editions', () => {
  it('an edition holds everything that was acknowledged before it', async () => {
    const { deps, merge, look } = await setUp();
    await merge('new.example');
    await look();
    expect(await findEdition(deps, '', deadline)).toMatchObject({ stores: 11 });
  });

  it('instances that look together open one edition', async () => {
    const { instance, editions, engine } = await setUp(async () => void (await null));
    await Promise.all(['a', 'b', 'c'].map((id) => keepEditions(instance(id), newWatch())));
    expect(await editions()).toHaveLength(1);
    expect(engine.openViews()).toHaveLength(1);
  });

  it('a look opens the next edition after 15 minutes, and earlier when the stores grow by more than a ninth', async () => {
    const { clock, merge, editions, look } = await setUp();
    await look();
    await look();
    expect(await editions()).toHaveLength(1);
    clock.advance(15 * minuteMs);
    await look();
    expect(await editions()).toHaveLength(2);
    await merge('10.example');
    await look();
    expect(await editions()).toHaveLength(2);
    await merge('11.example');
    await look();
    expect((await editions()).at(-1)).toMatchObject({ stores: 12 });
  });

  it('an edition can be read by its id for a day, and its view is closed afterwards', async () => {
    const { clock, deps, engine, look } = await setUp();
    await look();
    const { id } = await findEdition(deps, '', deadline);
    clock.advance(dayMs - 1);
    await look();
    expect((await findEdition(deps, id, deadline)).id).toBe(id);
    clock.advance(1);
    await look();
    await expect(findEdition(deps, id, deadline)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(engine.openViews()).toHaveLength(1);
  });

  it('editions that the engine has lost are forgotten, and a new one opens at once', async () => {
    const { clock, deps, engine, editions, look } = await setUp();
    await look();
    clock.advance(15 * minuteMs);
    await look();
    const lost = await editions();
    engine.loseViews();
    await look();
    expect(await editions()).toHaveLength(1);
    expect(lost.map(({ id }) => id)).not.toContain((await findEdition(deps, '', deadline)).id);
  });

  it('an edition that does not answer is forgotten after 30 s, and one that answers again stays', async () => {
    const { clock, deps, engine, editions, look } = await setUp();
    await look();
    const { id } = await findEdition(deps, '', deadline);
    engine.setUnreachable(true);
    await look();
    clock.advance(29_999);
    await look();
    engine.setUnreachable(false);
    await look();
    clock.advance(30_000);
    await look();
    expect((await editions()).map((each) => each.id)).toEqual([id]);
    engine.setUnreachable(true);
    await look();
    clock.advance(30_000);
    await expect(look()).rejects.toThrow('just opened');
    expect(await editions()).toEqual([]);
    engine.setUnreachable(false);
    clock.advance(minuteMs);
    await look();
    expect(await editions()).toHaveLength(1);
  });

  it('an instance that is killed while it opens an edition delays the others by a minute', async () => {
    const { clock, instance, engine, editions, look } = await setUp();
    const open = async () => Promise.reject(new Error('the instance is killed'));
    const killed = instance('b', { pointsInTime: { ...engine.pointsInTime, open } as never });
    await expect(keepEditions(killed, newWatch())).rejects.toThrow('killed');
    await look();
    expect(await editions()).toEqual([]);
    clock.advance(minuteMs);
    await look();
    expect(await editions()).toHaveLength(1);
  });

  it('the first edition of a new index opens when the index serves, and earlier editions stay', async () => {
    const { deps, editions, look } = await setUp();
    await look();
    await beginFill(deps, { onlyIfNeeded: false });
    await fillIndex(deps, never);
    await look();
    const [first, second] = await editions();
    expect(second?.index).not.toBe(first?.index);
  });

  it('there is no edition before an index is full', async () => {
    const { instance } = createSearchSystem();
    await expect(keepEditions(instance('a'), newWatch())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(findEdition(instance('a'), '', deadline)).rejects.toMatchObject({
      code: 'unavailable',
      details: { retry_after: 10 },
    });
  });

  it('an engine that keeps few points in time has the latest editions, and a new one opens when it is due', async () => {
    const { clock, engine, instance, editions, look } = await setUp();
    engine.setMaxViews(3);
    const other = instance('b');
    const latest: (string | undefined)[] = [];
    for (let n = 0; n < 8; n++) {
      // The look that finds no room makes it, and looks of any instance open the edition after two minutes.
      const before = (await editions()).length;
      await look();
      await look();
      if (before === 3) expect(await editions()).toHaveLength(2);
      clock.advance(2 * minuteMs);
      await keepEditions(other, newWatch());
      latest.push((await editions()).at(-1)?.id);
      clock.advance(15 * minuteMs);
    }
    expect(new Set(latest).size).toBe(8);
    expect((await editions()).map(({ id }) => id)).toEqual(latest.slice(-3));
    expect(engine.openViews()).toHaveLength(3);
  });
});
