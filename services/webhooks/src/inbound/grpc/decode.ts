import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import type { DeliveryState } from '../../domain/delivery.ts';
import type { MatchingMembers } from '../../domain/event-match.ts';
import { type Filters, noFilters, parseFilters } from '../../domain/filters.ts';
import {
  parseDescription,
  parseEventTypes,
  parseHeaders,
  parseMaxPerMinute,
  parseWatchlistIds,
} from '../../domain/parse-endpoint.ts';
import type { ReplayState } from '../../domain/replay.ts';
import type { EndpointCreation } from '../../operations/create-endpoint.ts';
import type { ReplayStart } from '../../operations/replays/start-replay.ts';
import type { EndpointUpdate } from '../../operations/update-endpoint.ts';
import type { DeliveryFilter } from '../../outbound/mongo/deliveries.ts';
import type { ReplayFilter } from '../../outbound/mongo/replays.ts';
import { deliveryStates, endpointStates, replayStates } from './states.ts';

const decodeFilters = (filters: proto.Filters | undefined): Filters => (filters ? parseFilters(filters) : noFilters);

export function decodeCreation({ members, quota, requestToken }: proto.CreateEndpointRequest): EndpointCreation {
  if (!members) throw invalidField('members', 'is required');
  const { url, eventTypes, description, watchlistIds, filters, maxPerMinute, headers } = members;
  return {
    members: {
      url,
      eventTypes: parseEventTypes(eventTypes),
      description: parseDescription(description),
      watchlistIds: parseWatchlistIds(watchlistIds),
      filters: decodeFilters(filters),
      maxPerMinute: parseMaxPerMinute(maxPerMinute),
    },
    headers: parseHeaders(headers),
    quota,
    requestToken,
  };
}

export const decodeMatching = ({ eventTypes, watchlistIds, filters }: proto.CountMatchesRequest): MatchingMembers => ({
  eventTypes: parseEventTypes(eventTypes),
  watchlistIds: parseWatchlistIds(watchlistIds),
  filters: decodeFilters(filters),
});

export function decodeUpdate(request: proto.UpdateEndpointRequest): EndpointUpdate {
  const { url, eventTypes, description, watchlistIds, filters, rate, headers, state } = request;
  return {
    members: {
      ...(url !== undefined && { url }),
      ...(eventTypes && { eventTypes: parseEventTypes(eventTypes.values) }),
      ...(description !== undefined && { description: parseDescription(description) }),
      ...(watchlistIds && { watchlistIds: parseWatchlistIds(watchlistIds.values) }),
      ...(filters && { filters: decodeFilters(filters) }),
      ...(rate && { maxPerMinute: parseMaxPerMinute(rate.maxPerMinute) }),
    },
    headers: headers && parseHeaders(headers.headers),
    state: decodeNewState(state),
  };
}

function decodeNewState(state: proto.EndpointState): 'active' | 'paused' | undefined {
  if (state === proto.EndpointState.UNSPECIFIED) return undefined;
  if (state === endpointStates.active) return 'active';
  if (state === endpointStates.paused) return 'paused';
  throw invalidField('state', 'must be active or paused');
}

export function decodeDeliveryFilter(request: proto.ListDeliveriesRequest): DeliveryFilter & { limit: number } {
  const { endpointId, eventId, states, fromMs, toMs, after, limit } = request;
  return {
    endpointId,
    eventId,
    states: states.map((state) => nameOf<DeliveryState>(deliveryStates, state)),
    from: fromMs === undefined ? undefined : new Date(fromMs),
    to: toMs === undefined ? undefined : new Date(toMs),
    after: after && { createdAt: new Date(after.createdAtMs), id: after.deliveryId },
    limit,
  };
}

export function decodeReplay({ endpointId, fromMs, toMs, scope, ...request }: proto.ReplayRequest): ReplayStart {
  const isKnown = scope === proto.ReplayScope.FAILED || scope === proto.ReplayScope.ALL;
  if (!isKnown) throw invalidField('only', 'must be failed or all');
  const { eventTypes, requestToken } = request;
  const name = scope === proto.ReplayScope.ALL ? 'all' : 'failed';
  return { endpointId, fromMs, toMs, scope: name, eventTypes, requestToken };
}

/** Returns null for a filter that no job of this service matches. */
export function decodeReplayFilter(request: proto.ListReplayJobsRequest): (ReplayFilter & { limit: number }) | null {
  const { types, states, jobIds, after, limit } = request;
  if (types.length > 0 && !types.includes(proto.BulkJobType.REPLAY)) return null;
  const position = after && { createdAt: new Date(after.createdAtMs), id: after.jobId };
  return {
    states: states.map((state) => nameOf<ReplayState>(replayStates, state)),
    ids: jobIds,
    after: position,
    limit,
  };
}

function nameOf<Name extends string>(values: Record<Name, number>, value: number): Name {
  const found = (Object.keys(values) as Name[]).find((name) => values[name] === value);
  if (!found) throw invalidField('states', 'must be known states');
  return found;
}
