import type { Handlers } from '@shopscope/grpc';
import type { DashboardServiceService } from '@shopscope/proto';
import type { Invitations } from '../operations/invitations.ts';

export const invitePersonHandler =
  ({ invitations }: { invitations: Invitations }): Handlers<typeof DashboardServiceService>['invitePerson'] =>
  (request, { origin }) =>
    invitations.inviteByOperator(request, origin);
