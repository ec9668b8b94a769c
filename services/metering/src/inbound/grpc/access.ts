import type { Access } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';

/** Who may call what. Only the gateway spends; dashboard and operators see what was spent. */
export const meteringAccess: Access<typeof MeteringServiceService> = {
  reserve: ['gateway'],
  voidCharge: ['gateway'],
  recordUsage: ['gateway'],
  getBalance: ['gateway', 'dashboard'],
  getUsage: ['gateway', 'dashboard', 'operator'],
};
