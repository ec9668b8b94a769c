import type { Deadline } from '@shopscope/async';
import { createStoreLookUps } from '@shopscope/enrich';
import { AppError } from '@shopscope/errors';
import { callPeer, type GrpcClient, orRefusal, unlessNotFound } from '@shopscope/grpc';
import type {
  GetHistoryRequest,
  ListTechnologiesRequest,
  ProfilesServiceService,
  SearchSignalsRequest,
  Technology,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export type ProfilesClient = ReturnType<typeof createProfilesClient>;

/** The calls of the profiles service. */
export function createProfilesClient(
  client: GrpcClient<typeof ProfilesServiceService>,
  onBatch?: (kind: 'lookup', size: number) => void,
) {
  return {
    ...createStoreLookUps(client, onBatch),
    listTechnologies: (query: ListTechnologiesRequest, origin: Origin, deadline: Deadline) =>
      callPeer((options) => client.listTechnologies(query, options), { deadline, origin }),
    /** Resolves to undefined if the vocabulary has no such technology. */
    getTechnology: (slug: string, origin: Origin, deadline: Deadline): Promise<Technology | undefined> =>
      callPeer(async (options) => (await unlessNotFound(client.getTechnology({ slug }, options)))?.technology, {
        deadline,
        origin,
      }),
    /** Resolves to the present slugs. Throws invalid_request with `technologies[INDEX]` for a slug that does not exist. */
    async resolveTechnologies(slugs: string[], origin: Origin, deadline: Deadline): Promise<string[]> {
      const call = { deadline, origin };
      const found = await callPeer((options) => orRefusal(client.resolveTechnologies({ slugs }, options)), call);
      if (found instanceof AppError) throw found;
      return found.slugs;
    },
    /** The response has no `observation` if the domain is not in the corpus. `domain` is canonical. */
    getHistory: (query: GetHistoryRequest, origin: Origin, deadline: Deadline) =>
      callPeer((options) => client.getHistory(query, options), { deadline, origin }),
    /** Throws invalid_request for a value that does not exist. */
    async searchSignals(query: SearchSignalsRequest, origin: Origin, deadline: Deadline) {
      const call = { deadline, origin };
      const found = await callPeer((options) => orRefusal(client.searchSignals(query, options)), call);
      if (found instanceof AppError) throw found;
      return found;
    },
  };
}
