import { createDeadline } from '@shopscope/async';
import type { HandlerContext } from '@shopscope/grpc';
import { describe, expect, it } from 'vitest';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { meteringHandlers } from './handlers.ts';

/** The calls are refused before they use a collection or a queue. */
const handlers = meteringHandlers({ live: {}, test: {} } as EveryEnvironment);
const context = {
  origin: {
    requestId: 'req_1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    environment: 'live',
  },
  deadline: createDeadline(1_000),
  abort: new AbortController().signal,
} satisfies HandlerContext;
// biome-ignore lint/suspicious/noExplicitAny: entries are counted and not read
const entries = (count: number): any[] => Array.from({ length: count }, () => ({}));

describe('batch bounds', () => {
  it.each([
    ['Reserve, above 1,000', () => handlers.reserve({ items: entries(1_001) }, context)],
    ['RecordUsage, above 1,000', () => handlers.recordUsage({ events: entries(1_001) }, context)],
    [
      'LeaseAllowance, above 1,000',
      () => handlers.leaseAllowance({ gatewayId: 'gateway', asks: entries(1_001) }, context),
    ],
    ['GetBalance, above 100', () => handlers.getBalance({ workspaceIds: entries(101) }, context)],
  ])('a call with too many entries is refused before any work: %s', async (_, call) => {
    await expect(call()).rejects.toThrow(/at most (1,?000|100)/);
  });
});
