import type { Access } from '@shopscope/grpc';
import type { DashboardServiceService } from '@shopscope/proto';

/** Which peers may call which RPC. */
export const dashboardAccess: Access<typeof DashboardServiceService> = {
  invitePerson: ['operator'],
};
