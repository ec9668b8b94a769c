import * as proto from '@shopscope/proto';
import type { Attempt, Delivery } from '../../domain/delivery.ts';
import type { Replay } from '../../domain/replay.ts';
import type { ShownEndpoint } from '../../operations/endpoint-health.ts';
import { deliveryStates, endpointStates, replayStates } from './states.ts';

export const encodeEndpoint = (endpoint: ShownEndpoint): proto.Endpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  watchlistIds: endpoint.watchlistIds,
  filters: { ...endpoint.filters, confidenceMin: endpoint.filters.confidenceMin ?? '' },
  maxPerMinute: endpoint.maxPerMinute ?? undefined,
  headerNames: endpoint.headerNames,
  state: endpointStates[endpoint.state],
  disabledReason: endpoint.disabledReason ?? '',
  createdAtMs: endpoint.createdAt.getTime(),
  updatedAtMs: endpoint.updatedAt.getTime(),
  failingSinceMs: endpoint.health.streak?.since.getTime(),
  lastSuccessAtMs: endpoint.health.lastSuccessAt?.getTime(),
  failures: endpoint.health.streak?.failed ?? 0,
});

export const encodeAttempt = ({ at, status, error, latencyMs, excerpt }: Attempt): proto.Attempt => ({
  atMs: at.getTime(),
  status: status ?? undefined,
  error: error ?? '',
  latencyMs,
  bodyExcerpt: excerpt,
});

/** While an attempt is being made, the time of the next one is not known. */
export const encodeDelivery = (delivery: Delivery): proto.Delivery => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  sequence: delivery.sequence,
  state: deliveryStates[delivery.state],
  attempts: delivery.attempts.map(encodeAttempt),
  nextAttemptAtMs: delivery.state === 'delivering' ? undefined : delivery.dueAt?.getTime(),
  createdAtMs: delivery.createdAt.getTime(),
  body: delivery.body,
});

export const encodeReplay = (replay: Replay): proto.BulkJob => ({
  id: replay.id,
  type: proto.BulkJobType.REPLAY,
  state: replayStates[replay.state],
  total: replay.total,
  done: replay.done,
  failed: 0,
  billed: proto.unitsOf({}),
  errorCode: replay.error?.code ?? '',
  errorMessage: replay.error?.message ?? '',
  createdAtMs: replay.createdAt.getTime(),
  startedAtMs: replay.startedAt?.getTime(),
  finishedAtMs: replay.finishedAt?.getTime(),
  expiresAtMs: replay.expiresAt?.getTime() ?? 0,
  refresh: false,
  scopes: [],
});
