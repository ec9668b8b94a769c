import { type Attempt, type Endpoint, EndpointState, Filters } from '@shopscope/proto';

type State = 'active' | 'paused' | 'disabled';

const states = new Map<EndpointState, State>([
  [EndpointState.PAUSED, 'paused'],
  [EndpointState.DISABLED, 'disabled'],
]);

export type EndpointView = ReturnType<typeof endpointView>;
export type AttemptView = ReturnType<typeof attemptView>;

/** An endpoint in the form that pages show. */
export const endpointView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  /** What a person types to confirm a deletion. */
  host: new URL(endpoint.url).host,
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  watchlistIds: endpoint.watchlistIds,
  filters: Filters.create(endpoint.filters),
  maxPerMinute: endpoint.maxPerMinute,
  headerNames: endpoint.headerNames,
  state: states.get(endpoint.state) ?? 'active',
  disabledReason: endpoint.disabledReason,
  failingSinceMs: endpoint.failingSinceMs,
  lastSuccessAtMs: endpoint.lastSuccessAtMs,
  failures: endpoint.failures,
  createdAtMs: endpoint.createdAtMs,
});

/** An attempt in the form that pages show. `bodyExcerpt` is hostile text. */
export const attemptView = ({ atMs, status, error, latencyMs, bodyExcerpt }: Attempt) => ({
  atMs,
  status,
  error,
  latencyMs,
  bodyExcerpt,
});
