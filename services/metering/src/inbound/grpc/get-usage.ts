import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getUsage } from '../../operations/get-usage.ts';
import { identifier, periodStart } from '../decode.ts';
import { encodeBalance } from './encode.ts';

export const getUsageHandler =
  (deps: Dependencies): Handlers<typeof MeteringServiceService>['getUsage'] =>
  async ({ workspaceId, periodStartMs }, context) => {
    const period = periodStartMs === undefined ? undefined : periodStart('period_start_ms', periodStartMs);
    const { balance, keys } = await getUsage(deps, identifier('workspace_id', workspaceId), context, period);
    return { balance: encodeBalance(balance), keys };
  };
