import type { Access } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. Only the gateway may change usage. Dashboard and operators may only read it. */
export const meteringAccess: Access<typeof MeteringServiceService> = {
  reserve: ['gateway'],
  leaseAllowance: ['gateway'],
  voidCharge: ['gateway'],
  recordUsage: ['gateway'],
  getBalance: ['gateway', 'dashboard'],
  getUsage: ['gateway', 'dashboard', 'operator'],
  getDailyUsage: ['dashboard', 'operator'],
};
