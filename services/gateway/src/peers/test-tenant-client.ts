import type { GrpcClient } from '@shopscope/grpc';
import type * as proto from '@shopscope/proto';
import { forCaller, type OfRequest } from './for-caller.ts';

export type TestTenantClient = ReturnType<typeof createTestTenantClient>;

interface Services {
  profiles: Pick<GrpcClient<typeof proto.ProfilesServiceService>, 'resetTestStores'>;
  metering: Pick<GrpcClient<typeof proto.MeteringServiceService>, 'setTestAllowance' | 'resetTestAllowances'>;
  scheduler: Pick<GrpcClient<typeof proto.ScanSchedulerServiceService>, 'resetTestScans'>;
  subscriptions: Pick<GrpcClient<typeof proto.SubscriptionsServiceService>, 'appendTestEvent' | 'resetTestWorkspace'>;
  webhooks: Pick<GrpcClient<typeof proto.WebhooksServiceService>, 'resetTestEndpoints'>;
}

/** The calls that only the test environment has. */
export function createTestTenantClient({ profiles, metering, scheduler, subscriptions, webhooks }: Services) {
  const resetWorkspace = forCaller(subscriptions.resetTestWorkspace);
  const resetScans = forCaller(scheduler.resetTestScans);
  const steps = [
    [resetWorkspace],
    [resetScans],
    [
      resetWorkspace,
      forCaller(profiles.resetTestStores),
      forCaller(metering.resetTestAllowances),
      forCaller(webhooks.resetTestEndpoints),
    ],
  ];
  return {
    /**
     * Resets the workspace in every service. Each call is idempotent.
     *
     * 1. subscriptions: jobs of lists and rescans end first, so that none of them requests a scan after the reset of the scans.
     * 2. scan-scheduler: the scans end next, so that none of them changes a store after the reset of the stores.
     * 3. The others, and subscriptions again: it deletes the events of scans that ended during step 2.
     *
     * - A call fails -> the other services are reset, too. Then it rejects with the first error, and a retry repeats all calls.
     */
    async reset(workspaceId: string, of: OfRequest): Promise<void> {
      const request = { workspaceId };
      const results: PromiseSettledResult<unknown>[] = [];
      for (const step of steps) results.push(...(await Promise.allSettled(step.map((reset) => reset(request, of)))));
      for (const each of results) if (each.status === 'rejected') throw each.reason;
    },
    setAllowance: forCaller(metering.setTestAllowance),
    appendEvent: forCaller(subscriptions.appendTestEvent),
  };
}
