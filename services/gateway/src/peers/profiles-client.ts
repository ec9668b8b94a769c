import type { Deadline } from '@shopscope/async';
import { createStoreLookUps } from '@shopscope/enrich';
import { AppError } from '@shopscope/errors';
import { type CallOptions, callPeer, type GrpcClient, orRefusal, unlessNotFound } from '@shopscope/grpc';
import type {
  GetHistoryRequest,
  GetSignalsRequest,
  ListSignalPlacesRequest,
  ListTechnologiesRequest,
  ProfilesServiceService,
  ResolveValuesResponse,
  SearchSignalsRequest,
  StoreSignal,
  Technology,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export type ProfilesClient = ReturnType<typeof createProfilesClient>;

const noValues: ResolveValuesResponse = {
  technologies: [],
  platforms: [],
  countries: [],
  industries: [],
  categories: [],
};

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
    /** Resolves to the present values. Throws invalid_request with its place, such as `technologies[0]`, for a value that does not exist. */
    resolveValues: (values: Partial<ResolveValuesResponse>, origin: Origin, deadline: Deadline) =>
      callOrRefuse((options) => client.resolveValues({ ...noValues, ...values }, options), origin, deadline),
    /** The response has no `observation` if the domain is not in the corpus. `domain` is canonical. */
    getHistory: (query: GetHistoryRequest, origin: Origin, deadline: Deadline) =>
      callPeer((options) => client.getHistory(query, options), { deadline, origin }),
    /** Throws invalid_request for a value that does not exist. The same applies to `listSignalPlaces`. */
    searchSignals: (query: SearchSignalsRequest, origin: Origin, deadline: Deadline) =>
      callOrRefuse((options) => client.searchSignals(query, options), origin, deadline),
    listSignalPlaces: (query: ListSignalPlacesRequest, origin: Origin, deadline: Deadline) =>
      callOrRefuse((options) => client.listSignalPlaces(query, options), origin, deadline),
    getSignals: async (request: GetSignalsRequest, origin: Origin, deadline: Deadline): Promise<StoreSignal[]> =>
      (await callPeer((options) => client.getSignals(request, options), { deadline, origin })).signals,
  };
}

async function callOrRefuse<Response extends object>(
  call: (options: CallOptions) => Promise<Response>,
  origin: Origin,
  deadline: Deadline,
): Promise<Response> {
  const found = await callPeer((options) => orRefusal(call(options)), { deadline, origin });
  if (found instanceof AppError) throw found;
  return found;
}
