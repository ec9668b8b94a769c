import { dayMs, hourMs, ManualClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import { createTechnologyIndex } from '../../domain/technology-index.ts';
import { createFrozenCorpus } from './frozen-corpus.ts';

const siteUrl = 'https://site.example';
const technologies = createTechnologyIndex(vocabulary, siteUrl);
const unstarted = async () => undefined;
const noon = Date.UTC(2026, 5, 10, 12);

function setUp() {
  const clock = new ManualClock(noon);
  return { clock, corpus: createFrozenCorpus({ clock, technologies, siteUrl }) };
}
const textOf = async ({ find }: ReturnType<typeof setUp>['corpus'], domain: string) =>
  (await find([domain], unstarted)).get(domain)?.body.body.toString();

describe('frozen corpus', () => {
  it('the frozen corpus lets other work run while it makes its stores', async () => {
    const { corpus } = setUp();
    let turns = 0;
    let isDone = false;
    const countTurns = () => {
      turns++;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const stores = await corpus.all(unstarted);
    isDone = true;
    expect(stores.size).toBeGreaterThan(1_000);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it('the frozen corpus has the same bytes all day, in every instance', async () => {
    const { clock, corpus } = setUp();
    const first = await textOf(corpus, 'store-0001.test');
    clock.advance(11 * hourMs);
    expect(await textOf(corpus, 'store-0001.test')).toBe(first);
    expect(await textOf(setUp().corpus, 'store-0001.test')).toBe(first);
  });

  it('the dates of the frozen corpus move at midnight, and its signals keep their ids', async () => {
    const { clock, corpus } = setUp();
    const today = (await corpus.find(['store-0006.test', 'matched.test'], unstarted)).get('matched.test');
    const signals = (await corpus.all(unstarted)).get('store-0006.test')?.signals;
    clock.advance(12 * hourMs);
    const moved = await corpus.all(unstarted);
    const tomorrow = moved.get('matched.test')?.body.lastCompletedScanAt.getTime();
    expect(tomorrow).toBe((today?.body.lastCompletedScanAt.getTime() ?? 0) + dayMs);
    const ids = (each: typeof signals) => each?.map(({ signal }) => signal.id);
    expect(ids(moved.get('store-0006.test')?.signals)).toEqual(ids(signals));
  });

  it('a domain without a store is absent', async () => {
    const found = await setUp().corpus.find(
      ['unknown.test', 'forbidden.test', 'other.test', 'store-1001.test'],
      unstarted,
    );
    expect([...found.keys()]).toEqual([]);
  });
});
