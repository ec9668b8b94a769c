import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies, Queues } from '../../operations/dependencies.ts';
import { getBalanceHandler } from './get-balance.ts';
import { getDailyUsageHandler } from './get-daily-usage.ts';
import { getUsageHandler } from './get-usage.ts';
import { leaseAllowanceHandler } from './lease-allowance.ts';
import { recordUsageHandler } from './record-usage.ts';
import { reserveHandler } from './reserve.ts';
import { voidChargeHandler } from './void-charge.ts';

/** All RPCs of the service, one file each. */
export const meteringHandlers = (deps: Dependencies, queues: Queues): Handlers<typeof MeteringServiceService> => ({
  reserve: reserveHandler(deps, queues),
  leaseAllowance: leaseAllowanceHandler(deps),
  voidCharge: voidChargeHandler(deps, queues),
  recordUsage: recordUsageHandler(queues),
  getBalance: getBalanceHandler(deps),
  getUsage: getUsageHandler(deps),
  getDailyUsage: getDailyUsageHandler(deps),
});
