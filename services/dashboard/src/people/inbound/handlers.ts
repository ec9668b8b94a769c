import type { Handlers } from '@shopscope/grpc';
import type { DashboardServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { inviteByOperator } from '../operations/invitations.ts';

export const dashboardHandlers = (deps: Dependencies): Handlers<typeof DashboardServiceService> => ({
  invitePerson: (request, { origin }) => inviteByOperator(deps, request, origin),
});
