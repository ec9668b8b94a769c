import { type Attempt, type Endpoint, EndpointState, Filters } from '@shopscope/proto';

type State = 'active' | 'paused' | 'disabled';

const states = new Map<EndpointState, State>([
  [EndpointState.PAUSED, 'paused'],
  [EndpointState.DISABLED, 'disabled'],
]);

/** Fewer failures in a row are no news: their messages are repeated within minutes. */
const minFailures = 5;

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
  failingSinceMs: endpoint.failures >= minFailures ? endpoint.failingSinceMs : undefined,
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
