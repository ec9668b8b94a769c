import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { callPeerForCaller, type GrpcClient } from '@shopscope/grpc';
import { EventOrder, type SubscriptionsServiceService, type WorkspaceEvent } from '@shopscope/proto';
import { noOrigin } from '@shopscope/telemetry';

/** Reads the event sequences of workspaces from subscriptions. */
export interface EventReader {
  /** Returns up to `limit` events after a sequence, ascending. Undefined begins with the oldest one. Skips events that were deleted. */
  after(
    tenant: Tenant<Environment>,
    sequence: number | undefined,
    limit: number,
    deadline: Deadline,
  ): Promise<WorkspaceEvent[]>;
  latest(tenant: Tenant<Environment>, deadline: Deadline): Promise<WorkspaceEvent | undefined>;
}

type Client = Pick<GrpcClient<typeof SubscriptionsServiceService>, 'listEvents'>;

const everything = { types: [], watchlistId: '', waitMs: 0 };

export function createEventReader(client: Client): EventReader {
  const read = async (
    { workspaceId, environment }: Tenant<Environment>,
    query: { afterSequence: number | undefined; limit: number; order: EventOrder },
    deadline: Deadline,
  ) => {
    const origin = { ...noOrigin, environment };
    const request = { workspaceId, ...everything, ...query };
    return (await callPeerForCaller((options) => client.listEvents(request, options), { deadline, origin })).events;
  };
  return {
    async after(tenant, afterSequence, limit, deadline) {
      const query = { limit, order: EventOrder.ASCENDING };
      try {
        return await read(tenant, { ...query, afterSequence }, deadline);
      } catch (error) {
        if (afterSequence === undefined || AppError.from(error).code !== 'invalid_request') throw error;
        return read(tenant, { ...query, afterSequence: undefined }, deadline);
      }
    },
    async latest(tenant, deadline) {
      const query = { afterSequence: undefined, limit: 1, order: EventOrder.DESCENDING };
      return (await read(tenant, query, deadline))[0];
    },
  };
}
