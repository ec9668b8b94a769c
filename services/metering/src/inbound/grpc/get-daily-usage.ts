import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getDailyUsage } from '../../operations/get-daily-usage.ts';
import { identifier, periodStart } from '../decode.ts';

export const getDailyUsageHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['getDailyUsage'] =>
  async ({ workspaceId, periodStartMs }, caller) => {
    const period = periodStartMs === undefined ? undefined : periodStart('period_start_ms', periodStartMs);
    return getDailyUsage(deps, identifier('workspace_id', workspaceId), caller, period);
  };
