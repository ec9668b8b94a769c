import type { Member } from '@shopscope/local';
import { expect, it } from 'vitest';
import { createNode } from './node.ts';

it('the start time of a replacement is that of the process that became ready, not of an earlier one that did not', async () => {
  // The process id at each read.
  const pids = [1, 2, 2, 3, 3];
  const firstSeenMs = new Map<number, number>();
  const member = {
    get pid() {
      const pid = pids.length > 1 ? (pids.shift() as number) : 3;
      if (!firstSeenMs.has(pid)) firstSeenMs.set(pid, performance.now());
      return pid;
    },
  };
  const node = createNode('keys-1', member as Member, (pid) => pid !== 2 && pids.length === 1);
  const { startedMs, readyMs } = await node.untilReplaced(1);
  expect(startedMs).toBeGreaterThan(firstSeenMs.get(2) ?? Number.POSITIVE_INFINITY);
  expect(startedMs).toBeLessThanOrEqual(firstSeenMs.get(3) ?? 0);
  expect(readyMs).toBeGreaterThanOrEqual(startedMs);
});
