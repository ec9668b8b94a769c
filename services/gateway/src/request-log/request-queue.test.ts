import { ManualClock } from '@shopscope/clock';
import type { CompletedRequest } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createRequestQueue } from './request-queue.ts';

const requestOf = (requestId: string) => ({ requestId }) as CompletedRequest;

function setUp(maxQueued?: number) {
  const clock = new ManualClock();
  const dropped: string[] = [];
  const queue = createRequestQueue({
    clock,
    onDropped: (reason) => void dropped.push(reason),
    ...(maxQueued && { maxQueued }),
  });
  const add = (workspaceId: string, count: number) => {
    for (let i = 0; i < count; i++) queue.add(workspaceId, requestOf(`${workspaceId}-${i}`));
  };
  const take = (max: number) => queue.take(max).map((each) => [each.workspaceId, each.requests.length] as const);
  const takeDue = () => queue.takeDue(20_000).map((each) => [each.workspaceId, each.requests.length] as const);
  return { clock, queue, add, take, takeDue, dropped };
}

describe('the request queue', () => {
  it('the request queue gives every request once, in order by workspace', () => {
    const { queue, add } = setUp();
    add('ws_1', 450);
    add('ws_2', 3);
    const taken: Record<string, string[]> = {};
    while (queue.size > 0) {
      for (const { workspaceId, requests } of queue.take(100)) {
        taken[workspaceId] = [...(taken[workspaceId] ?? []), ...requests.map(({ requestId }) => requestId)];
      }
    }
    expect(taken.ws_1).toEqual(Array.from({ length: 450 }, (_, i) => `ws_1-${i}`));
    expect(taken.ws_2).toEqual(['ws_2-0', 'ws_2-1', 'ws_2-2']);
    expect(queue.take(100)).toEqual([]);
  });

  it('the request queue puts at most 200 requests into an event, and at most as many as were asked for into all events', () => {
    const { queue, add, take } = setUp();
    add('ws_1', 500);
    add('ws_2', 10);
    expect(take(450)).toEqual([
      ['ws_1', 200],
      ['ws_2', 10],
      ['ws_1', 200],
      ['ws_1', 40],
    ]);
    expect(queue.size).toBe(60);
  });

  it('the request queue begins with another workspace each time, so that a busy one does not hold up the others', () => {
    const { add, take } = setUp();
    add('ws_1', 400);
    add('ws_2', 400);
    expect([take(200), take(200), take(200)]).toEqual([[['ws_1', 200]], [['ws_2', 200]], [['ws_1', 200]]]);
  });

  it('the request queue drops what exceeds its bound or the share of a workspace, and says so', () => {
    const { queue, add, dropped } = setUp(10);
    add('ws_1', 7);
    expect([queue.size, dropped]).toEqual([5, ['workspace_share', 'workspace_share']]);
    add('ws_2', 4);
    add('ws_3', 3);
    expect([queue.size, dropped.slice(2)]).toEqual([10, ['queue_full', 'queue_full']]);
    queue.take(10);
    add('ws_1', 1);
    expect(queue.size).toBe(1);
  });

  describe('many workspaces', () => {
    /** One more than can be in the queue without waiting. */
    const many = Array.from({ length: 51 }, (_, n) => `ws_${n}`);

    it('the request queue of many workspaces holds those of a workspace back until there are 20 of them', () => {
      const { queue, add, takeDue } = setUp();
      for (const workspace of many) add(workspace, 19);
      expect(takeDue()).toEqual([]);
      add('ws_7', 1);
      expect(takeDue()).toEqual([['ws_7', 20]]);
      expect(queue.size).toBe(50 * 19);
    });

    it('the request queue of many workspaces holds none back for longer than 10 s', () => {
      const { clock, add, takeDue } = setUp();
      add('ws_0', 1);
      clock.advance(1);
      for (const workspace of many) add(workspace, 1);
      clock.advance(9_999);
      expect(takeDue()).toEqual([['ws_0', 2]]);
      clock.advance(1);
      expect(takeDue()).toHaveLength(50);
    });

    it('the request queue holds none back when it is half full, or when few workspaces are left', () => {
      const { add, takeDue } = setUp(204);
      for (const workspace of many) add(workspace, 1);
      expect(takeDue()).toEqual([]);
      for (const workspace of many) add(workspace, 1);
      expect(takeDue()).toHaveLength(51);
      for (const workspace of many.slice(1)) add(workspace, 1);
      expect(takeDue()).toHaveLength(50);
    });
  });
});
