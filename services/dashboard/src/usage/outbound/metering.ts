import type { GrpcClient } from '@shopscope/grpc';
import type { GetDailyUsageResponse, GetUsageResponse, MeteringServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from '../../app/outbound/call.ts';

export type MeteringClient = ReturnType<typeof createMeteringClient>;

/** The calls of the metering service. Without a period they concern the current one. */
export function createMeteringClient(client: GrpcClient<typeof MeteringServiceService>) {
  return {
    getUsage(workspaceId: string, origin: Origin, periodStartMs?: number): Promise<GetUsageResponse> {
      return callService((options) => client.getUsage({ workspaceId, origin, periodStartMs }, options), origin);
    },
    getDailyUsage(workspaceId: string, origin: Origin, periodStartMs?: number): Promise<GetDailyUsageResponse> {
      return callService((options) => client.getDailyUsage({ workspaceId, origin, periodStartMs }, options), origin);
    },
  };
}
