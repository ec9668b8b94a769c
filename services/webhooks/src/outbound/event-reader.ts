import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { callPeerForCaller, type GrpcClient } from '@shopscope/grpc';
import { EventOrder, type SubscriptionsServiceService, type WorkspaceEvent } from '@shopscope/proto';
import { noOrigin } from '@shopscope/telemetry';

export interface EventQuery {
  /** Undefined begins with the oldest event. */
  after: number | undefined;
  /** An empty list selects all types. */
  types: readonly string[];
  limit: number;
}

export interface EventPage {
  events: WorkspaceEvent[];
  /** All selected events up to this sequence are in this page or in earlier ones. */
  position: number;
}

/** Reads the event sequences of workspaces from subscriptions. */
export interface EventReader {
  /** Returns events after a sequence, ascending. Skips events that were deleted. */
  page(tenant: Tenant<Environment>, query: EventQuery, deadline: Deadline): Promise<EventPage>;
  latest(tenant: Tenant<Environment>, deadline: Deadline): Promise<WorkspaceEvent | undefined>;
}

type Client = Pick<GrpcClient<typeof SubscriptionsServiceService>, 'listEvents'>;

const ofAnyWatchlist = { watchlistId: '', waitMs: 0 };

export function createEventReader(client: Client): EventReader {
  const read = async (
    { workspaceId, environment }: Tenant<Environment>,
    { after: afterSequence, types, limit }: EventQuery,
    order: EventOrder,
    deadline: Deadline,
  ) => {
    const origin = { ...noOrigin, environment };
    const request = { workspaceId, ...ofAnyWatchlist, afterSequence, types: [...types], limit, order };
    return callPeerForCaller((options) => client.listEvents(request, options), { deadline, origin });
  };
  return {
    async page(tenant, query, deadline) {
      try {
        return await read(tenant, query, EventOrder.ASCENDING, deadline);
      } catch (error) {
        if (query.after === undefined || AppError.from(error).code !== 'invalid_request') throw error;
        return read(tenant, { ...query, after: undefined }, EventOrder.ASCENDING, deadline);
      }
    },
    async latest(tenant, deadline) {
      const query = { after: undefined, types: [], limit: 1 };
      return (await read(tenant, query, EventOrder.DESCENDING, deadline)).events[0];
    },
  };
}
