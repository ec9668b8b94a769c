import type { Access } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';

/** Allowed callers per method. Only the gateway changes usage; dashboard and operators read it. */
export const meteringAccess: Access<typeof MeteringServiceService> = {
  reserve: ['gateway'],
  voidCharge: ['gateway'],
  recordUsage: ['gateway'],
  getBalance: ['gateway', 'dashboard'],
  getUsage: ['gateway', 'dashboard', 'operator'],
  getDailyUsage: ['dashboard', 'operator'],
};
