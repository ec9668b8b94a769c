import { type Attempt, type Delivery, DeliveryState, type Endpoint, EndpointState } from '@shopscope/proto';
import { timeOf, timeOrNull } from '../jobs/job-body.ts';
import type { deliveryStates, webhookStates } from './contract.ts';

const states: Partial<Record<EndpointState, (typeof webhookStates)[number]>> = {
  [EndpointState.ACTIVE]: 'active',
  [EndpointState.PAUSED]: 'paused',
  [EndpointState.DISABLED]: 'disabled',
};

export function webhookBodyOf(endpoint: Endpoint | undefined): object {
  if (!endpoint) throw new Error('the response has no endpoint');
  const { id, url, state, filters, maxPerMinute, headerNames, disabledReason } = endpoint;
  const shownState = states[state];
  if (!shownState || !filters) throw new Error(`endpoint ${id} has the unknown state ${state}, or no filters`);
  return {
    id,
    url,
    event_types: endpoint.eventTypes,
    description: endpoint.description || null,
    watchlist_ids: endpoint.watchlistIds,
    filters: {
      signal_type: filters.signalTypes,
      technology: filters.technologies,
      category: filters.categories,
      platform: filters.platforms,
      country: filters.countries,
      industry: filters.industries,
      confidence_min: filters.confidenceMin || null,
    },
    max_per_minute: maxPerMinute ?? null,
    headers: Object.fromEntries(headerNames.map((name) => [name, '***'])),
    state: shownState,
    disabled_reason: disabledReason || null,
    created_at: timeOf(endpoint.createdAtMs),
    updated_at: timeOf(endpoint.updatedAtMs),
  };
}

const protoStates: Record<(typeof deliveryStates)[number], DeliveryState> = {
  pending: DeliveryState.PENDING,
  delivering: DeliveryState.DELIVERING,
  succeeded: DeliveryState.SUCCEEDED,
  retrying: DeliveryState.RETRYING,
  failed: DeliveryState.FAILED,
};
const stateNames = new Map(Object.entries(protoStates).map(([name, state]) => [state, name]));

export const protoStateOf = (state: (typeof deliveryStates)[number]): DeliveryState => protoStates[state];

export function attemptBodyOf({ atMs, status, error, latencyMs, bodyExcerpt }: Attempt): object {
  return {
    at: timeOf(atMs),
    status: status ?? null,
    error: error || null,
    latency_ms: latencyMs,
    body_excerpt: bodyExcerpt,
  };
}

export function deliveryBodyOf(delivery: Delivery | undefined): object {
  if (!delivery) throw new Error('the response has no delivery');
  const state = stateNames.get(delivery.state);
  if (!state) throw new Error(`delivery ${delivery.id} has the unknown state ${delivery.state}`);
  return {
    id: delivery.id,
    webhook_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    sequence: delivery.sequence,
    state,
    attempts: delivery.attempts.map(attemptBodyOf),
    next_attempt_at: timeOrNull(delivery.nextAttemptAtMs),
    created_at: timeOf(delivery.createdAtMs),
  };
}
