import { type Handlers, testTenantOf } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendTestEvent } from '../../operations/test-tenant/append-test-event.ts';
import { resetTestWorkspace } from '../../operations/test-tenant/reset-test-workspace.ts';
import { workspaceEventOf } from '../../outbound/events/workspace-event.ts';

/** The RPCs that only the test environment has. */
export const testTenantHandlers = ({
  test,
}: EveryEnvironment): Pick<Handlers<typeof SubscriptionsServiceService>, 'appendTestEvent' | 'resetTestWorkspace'> => ({
  appendTestEvent: async (request, context) => ({
    event: workspaceEventOf(await appendTestEvent(test, testTenantOf(request, context), request, context)),
  }),
  resetTestWorkspace: async (request, context) => {
    await resetTestWorkspace(test, testTenantOf(request, context), context);
    return {};
  },
});
