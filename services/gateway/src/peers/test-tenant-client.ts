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
  const resetScans = forCaller(scheduler.resetTestScans);
  const resets = [
    forCaller(profiles.resetTestStores),
    forCaller(metering.resetTestAllowances),
    forCaller(subscriptions.resetTestWorkspace),
    forCaller(webhooks.resetTestEndpoints),
  ];
  return {
    /**
     * Resets the workspace in every service. Each call is idempotent.
     *
     * - The scans end first, so that none of them changes a store after the reset of the stores.
     * - A call fails -> the other services are reset, too. Then it rejects with the first error, and a retry repeats all calls.
     */
    async reset(workspaceId: string, of: OfRequest): Promise<void> {
      const request = { workspaceId };
      const [scans] = await Promise.allSettled([resetScans(request, of)]);
      const others = await Promise.allSettled(resets.map((reset) => reset(request, of)));
      for (const each of [scans, ...others]) if (each.status === 'rejected') throw each.reason;
    },
    setAllowance: forCaller(metering.setTestAllowance),
    appendEvent: forCaller(subscriptions.appendTestEvent),
  };
}
