import type { Access } from '@shopscope/grpc';
import type { DashboardServiceService } from '@shopscope/proto';

export const dashboardAccess: Access<typeof DashboardServiceService> = {
  invitePerson: ['operator'],
};
