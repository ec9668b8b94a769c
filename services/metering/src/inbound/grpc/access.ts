import type { Access } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. Only gateways and subscriptions change usage. The dashboard and operators only read it. */
export const meteringAccess: Access<typeof MeteringServiceService> = {
  reserve: ['gateway', 'subscriptions'],
  leaseAllowance: ['gateway'],
  voidCharge: ['gateway', 'subscriptions'],
  recordUsage: ['gateway', 'subscriptions'],
  getBalance: ['gateway', 'dashboard', 'subscriptions'],
  getUsage: ['gateway', 'dashboard', 'operator'],
  getDailyUsage: ['dashboard', 'operator'],
  setTestAllowance: ['gateway'],
  resetTestAllowances: ['gateway'],
};
