import { type Endpoint, EndpointState, Filters } from '@shopscope/proto';

export type State = 'active' | 'paused' | 'disabled';

const states = new Map<EndpointState, State>([
  [EndpointState.PAUSED, 'paused'],
  [EndpointState.DISABLED, 'disabled'],
]);

export type EndpointView = ReturnType<typeof endpointView>;

/** An endpoint in the form that pages show. */
export const endpointView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  watchlistIds: endpoint.watchlistIds,
  filters: Filters.create(endpoint.filters),
  maxPerMinute: endpoint.maxPerMinute,
  headerNames: endpoint.headerNames,
  state: states.get(endpoint.state) ?? 'active',
  disabledReason: endpoint.disabledReason,
  createdAtMs: endpoint.createdAtMs,
  updatedAtMs: endpoint.updatedAtMs,
});
