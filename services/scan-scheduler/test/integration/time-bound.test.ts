import { once } from 'node:events';
import { createDeadline } from '@shopscope/async';
import { createGrpcClient, createGrpcServer, type HandlerContext } from '@shopscope/grpc';
import { ScanSchedulerServiceService as definition, ScanUnit } from '@shopscope/proto';
import { silentTelemetry, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanSchedulerHandlers } from '../../src/inbound/grpc/handlers.ts';
import { releaseClaims } from '../../src/operations/release-claims.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('deadline of a claim', { tags: ['wall-clock'] }, () => {
  const namespace = testNamespace('scans-time');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  it('a claim whose deadline expires between two statements starts no further one, so nothing is claimed after its release', async () => {
    const { deps, db } = scheduler;
    const handlerContext = Promise.withResolvers<HandlerContext>();
    const released = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const slowToRefresh: typeof deps.claims.refresh = async (...args) => {
      await deps.claims.refresh(...args);
      await released.promise;
    };
    const slow = { ...deps, claims: { ...deps.claims, refresh: slowToRefresh } };
    const noQueue = { wait: async () => null, wake() {}, close: async () => {} };
    const { claimScans: claim } = scanSchedulerHandlers({ live: slow, test: scheduler.test }, noQueue);

    const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
    server.addService(
      { claimScans: definition.claimScans },
      {
        claimScans: (request, given) => {
          handlerContext.resolve(given);
          const claimed = claim(request, given);
          claimed.then(ended.resolve, ended.resolve);
          return claimed;
        },
      },
    );
    const allClaims = { workspaceId: 'ws_a', chargeId: 'chg_1', claims: [] };
    const client = createGrpcClient({ definition, address: await server.listen() });
    try {
      const claimed = { workspaceId: 'ws_a', chargeId: 'chg_1', domains: ['one.example'] };
      const request = { ...claimed, unit: ScanUnit.LOOKUP_LIVE };
      await expect(client.claimScans(request, { deadline: createDeadline(2_000) })).rejects.toMatchObject({
        code: 'internal',
      });
      const { abort } = await handlerContext.promise;
      if (!abort.aborted) await once(abort, 'abort');
      await releaseClaims(deps, allClaims, context);
      released.resolve();
      expect(await ended.promise).toMatchObject({ code: 'internal' });
      expect(await db.collection('jobs').countDocuments()).toBe(0);
    } finally {
      client.close();
      await server.stop(100);
    }
  });
});
