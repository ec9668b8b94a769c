import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createSearchTurns } from './search-turns.ts';

describe('turns of searches', () => {
  it('a workspace runs as many searches as it may, and another workspace does not wait for them', async () => {
    const turns = createSearchTurns({ maxPerWorkspace: 2 });
    const begun: string[] = [];
    const { promise: engine, resolve: answer } = Promise.withResolvers<void>();
    const search = (workspaceId: string, name: string) =>
      turns.run(workspaceId, createDeadline(60_000), async () => {
        begun.push(name);
        await engine;
      });
    const all = [search('ws_1', 'a'), search('ws_1', 'b'), search('ws_1', 'c'), search('ws_2', 'd')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b', 'd']);
    answer();
    await Promise.all(all);
    expect(begun).toEqual(['a', 'b', 'd', 'c']);
  });

  it('a search that waits for four seconds never begins and gets concurrency_limited, and a failed search gives its place up', async () => {
    const clock = new ManualClock();
    const turns = createSearchTurns({ maxPerWorkspace: 1 });
    const { promise: engine, reject: fail } = Promise.withResolvers<void>();
    const first = turns.run('ws_1', createDeadline(60_000), () => engine);
    let hasBegun = false;
    const late = turns.run('ws_1', createDeadline(60_000, { clock }), async () => {
      hasBegun = true;
    });
    const refused = expect(late).rejects.toMatchObject({ code: 'concurrency_limited', details: { retry_after: 1 } });
    await clock.advance(4_000);
    await refused;
    fail(new Error('the engine is gone'));
    await expect(first).rejects.toThrow('the engine is gone');
    expect(hasBegun).toBe(false);
    expect(await turns.run('ws_1', createDeadline(60_000), async () => 'next')).toBe('next');
  });
});
