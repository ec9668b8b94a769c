import { inEnvironment } from '@shopscope/environment';
import { type Handlers, tenantOf } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { listEvents } from '../../operations/list-events.ts';
import { decodeEventQuery, encodeEventPage } from './events.ts';
import { jobHandlers } from './job-handlers.ts';
import { listHandlers } from './list-handlers.ts';
import { testTenantHandlers } from './test-tenant-handlers.ts';
import { watchlistHandlers } from './watchlist-handlers.ts';

/** Every RPC of the service. */
export const subscriptionsHandlers = (every: EveryEnvironment): Handlers<typeof SubscriptionsServiceService> => ({
  ...listHandlers(every),
  ...watchlistHandlers(every),
  ...jobHandlers(every),
  listEvents: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) =>
      encodeEventPage(await listEvents(deps, tenant, decodeEventQuery(request), context)),
    ),
  ...testTenantHandlers(every),
});
