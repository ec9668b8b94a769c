import type { Handlers } from '@shopscope/grpc';
import type { DashboardServiceService } from '@shopscope/proto';
import type { Invitations } from '../operations/invitations.ts';
import { invitePersonHandler } from './invite-person.ts';

/** Every RPC of the service, each in its own file. */
export const dashboardHandlers = (deps: { invitations: Invitations }): Handlers<typeof DashboardServiceService> => ({
  invitePerson: invitePersonHandler(deps),
});
