import type { CallOptions } from '@shopscope/grpc';
import { expect } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import type { RpcRow } from './rpc-row.ts';

const requestId = 'req_of_the_isolation_matrix';
const live = { origin: { requestId, traceparent: '', environment: 'live' as const } };
const test = { origin: { requestId, traceparent: '', environment: 'test' as const } };

/** A row of an RPC that only the test environment has. Every other row compares the live data of the other workspace afterwards. */
const inTest = (call: (env: DevEnv, workspaceId: string, options: CallOptions) => Promise<unknown>): RpcRow => ({
  async ask({ env, own }) {
    await expect(call(env, own.workspaceId, live)).rejects.toMatchObject({ code: 'invalid_request' });
    return call(env, own.workspaceId, test);
  },
});

export const meteringOfTests: Record<string, RpcRow> = {
  setTestAllowance: inTest((env, workspaceId, options) => {
    const included = { lookupCached: 10, lookupLive: 10, historyQuery: 10, refreshRequested: 10 };
    const left = [{ unit: 'lookup_cached', left: 1 }];
    return env.metering.setTestAllowance({ workspaceId, included, left }, options);
  }),
  resetTestAllowances: inTest((env, workspaceId, options) =>
    env.metering.resetTestAllowances({ workspaceId }, options),
  ),
};

export const profilesOfTests: Record<string, RpcRow> = {
  resetTestStores: {
    async ask({ profiles, own }) {
      const request = { workspaceId: own.workspaceId };
      await expect(profiles.resetTestStores(request, live)).rejects.toMatchObject({ code: 'invalid_request' });
      return profiles.resetTestStores(request, test);
    },
  },
};

export const scansOfTests: Record<string, RpcRow> = {
  resetTestScans: inTest((env, workspaceId, options) => env.scans.resetTestScans({ workspaceId }, options)),
};

export const subscriptionsOfTests: Record<string, RpcRow> = {
  appendTestEvent: inTest((env, workspaceId, options) =>
    env.subscriptions.appendTestEvent({ workspaceId, type: 'signal.confirmed', data: '{}' }, options),
  ),
  resetTestWorkspace: inTest((env, workspaceId, options) =>
    env.subscriptions.resetTestWorkspace({ workspaceId }, options),
  ),
};
