import type { Handlers } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { listHandlers } from './list-handlers.ts';
import { watchlistHandlers } from './watchlist-handlers.ts';

/** Every RPC of the service. */
export const subscriptionsHandlers = (every: EveryEnvironment): Handlers<typeof SubscriptionsServiceService> => ({
  ...listHandlers(every),
  ...watchlistHandlers(every),
});
